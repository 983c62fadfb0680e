// Searches the built site in Chromium, from the file system: search.mjs PLAYWRIGHT CHROMIUM SITE. Prints what is wrong.
import {pathToFileURL} from "node:url";
import {launch} from "../view/browser.mjs";

const [playwright, chromium, site] = process.argv.slice(2);
const wrong = [];
const browser = await launch(playwright, chromium);
const page = await browser.newPage();
page.on("pageerror", (error) => wrong.push(`a search: ${error.message}`));
page.on("request", (request) => { if (/^https?:/.test(request.url())) wrong.push(`a search fetches ${request.url()}`); });

async function found(words) {
    await page.goto(`${pathToFileURL(site)}/search.html?q=${encodeURIComponent(words)}`);
    await page.waitForFunction(() => /found \d+|did not match/.test(document.querySelector(".search-summary")?.textContent));
    return page.$$eval("#search-results ul.search li", (items) => items.map(
        (item) => ({page: item.querySelector("a").getAttribute("href"), text: item.querySelector("p.context")?.textContent || ""})));
}

// "restitution" is also on pages that show scenes, which have no text for a summary.
for (const [words, first] of [["restitution", "variational.html"], ["packing fraction", null], ["carom_sim_run", "reference/c.html"]]) {
    const results = await found(words);
    if (results.length < 1 || first && !results.slice(0, 10).some((result) => result.page.startsWith(first)))
        wrong.push(`a search for '${words}' does not find ${first}`);
    if (words !== "carom_sim_run" && !results.some((result) => result.text.toLowerCase().includes(words)))
        wrong.push(`a search for '${words}' has no summaries`);
}
if ((await found("xyzzyqq")).length) wrong.push("a search for 'xyzzyqq' finds pages");
await browser.close();
console.log(wrong.join("\n"));
process.exit(wrong.length ? 1 : 0);
