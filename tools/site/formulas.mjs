// Typesets formulas: one JSON object {tex, display} a line on standard input, one JSON string of HTML a line on standard output.
import {createInterface} from "node:readline";
import {createRequire} from "node:module";

const katex = createRequire(import.meta.url)("/usr/share/javascript/katex/katex.js");
for await (const line of createInterface({input: process.stdin})) {
    const {tex, display} = JSON.parse(line);
    let html;
    try {
        html = katex.renderToString(tex, {displayMode: display, throwOnError: true, strict: "error"});
    } catch (error) {
        html = "ERROR " + error.message;
    }
    process.stdout.write(JSON.stringify(html) + "\n");
}
