// The live page in headless Chromium, for tools/view_rate.py and tools/view_figures.py:
//   view_page.mjs PLAYWRIGHT CHROMIUM URL rate SECONDS               pictures per second that it draws
//   view_page.mjs PLAYWRIGHT CHROMIUM URL picture TIME SCHEME FILE [FIELD]   what it shows at a time, coloured by a field
import {launch} from '../tests/view/browser.mjs';

const [playwright, executablePath, url, what, number, colorScheme, path, field] = process.argv.slice(2);
const browser = await launch(playwright, executablePath);
const page = await browser.newPage({viewport: {width: 1280, height: 800}, colorScheme});
await page.goto(url);
const once = (test, value) => page.waitForFunction(test, value, {timeout: 120000});
const read = () =>
    page.evaluate(() => {
        const stage = document.getElementById('stage');
        return [Number(document.body.dataset.draws), performance.now(), stage.width, stage.clientWidth];
    });

async function rate() {
    await once(() => Number(document.body.dataset.draws) > 20);
    const [draws, began] = await read();
    await page.waitForTimeout(1000 * number);
    const [more, ended, drawn, shown] = await read();
    const rate = (1000 * (more - draws)) / (ended - began);
    console.log(`${rate.toFixed(1)} pictures per second, ${drawn} pixels wide on ${shown}`);
}

async function picture() {
    await once(time => Number(document.body.dataset.time) >= time, Number(number));
    await page.keyboard.press(' ');
    await once(() => document.body.dataset.state === 'paused');
    if (field !== undefined) await page.selectOption('#field', field);
    await once(() => document.body.dataset.fine === document.body.dataset.draws);
    await page.screenshot({path});
}

await (what === 'rate' ? rate() : picture());
await browser.close();
