// Pictures per second that the live page draws: view_rate.mjs PLAYWRIGHT CHROMIUM URL SECONDS
import {createRequire} from 'node:module';

const [playwright, executablePath, url, seconds] = process.argv.slice(2);
const {chromium} = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({
    executablePath,
    args: [
        '--no-sandbox',
        '--disable-gpu',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
    ],
});
const page = await browser.newPage({viewport: {width: 1280, height: 800}});
await page.goto(url);
await page.waitForFunction(() => Number(document.body.dataset.draws) > 20);
const read = () =>
    page.evaluate(() => [
        Number(document.body.dataset.draws),
        performance.now(),
        document.getElementById('stage').width,
        document.getElementById('stage').clientWidth,
    ]);
const [draws, began] = await read();
await page.waitForTimeout(1000 * seconds);
const [more, ended, drawn, shown] = await read();
console.log(
    `${((1000 * (more - draws)) / (ended - began)).toFixed(1)} pictures per second, ${drawn} pixels wide on ${shown}`,
);
await browser.close();
