// The page in a real browser: page.mjs PLAYWRIGHT CHROMIUM FOLDER LIVE-URL REPLAY-URL TINY-URL EDGE-URL EGG-URL CUP-URL
// PAIR-URL TROUGH-URL MERGED-URL CAROM SCENE SAVED THINNED (paths of pages in files: the replay, and a part of it).
// Says what it found; what it shows lies in FOLDER.
import {strict as assert} from 'node:assert';
import {spawn} from 'node:child_process';
import {readFileSync, statSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {unwrapClusters} from '../../web/clusters.js';
import {launch} from './browser.mjs';

const [playwright, executablePath, folder, live, replay, tiny, edge, egg, cup, pair, trough, merged, carom, scene] =
    process.argv.slice(2);
const [saved, thinned] = process.argv.slice(16).map(path => String(pathToFileURL(path)));
const browser = await launch(playwright, executablePath);
const judge = await browser.newPage(); // a page of its own: the other's rules let it read nothing
const faults = [],
    foreign = [];

async function open(url, options = {}) {
    const context = await browser.newContext({
        viewport: {width: 1280, height: 800},
        acceptDownloads: true,
        ...options,
    });
    const page = await context.newPage();
    page.on('console', message => {
        if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', fault => faults.push(fault.message));
    const home = new URL(url).host;
    const note = asked => {
        if (!asked.startsWith('data:') && !asked.startsWith('blob:') && new URL(asked).host !== home)
            foreign.push(asked);
    };
    page.on('request', request => note(request.url()));
    page.on('websocket', socket => note(socket.url()));
    await page.goto(url);
    await page.waitForFunction(() => Number(document.body.dataset.frames) > 0);
    return page;
}

const data = (page, name) => page.evaluate(key => document.body.dataset[key], name);
// What the page says of itself, as soon as it is so.
async function until(page, condition) {
    for (let tries = 0; tries < 2000; tries++) {
        if (condition(await page.evaluate(() => ({...document.body.dataset})))) return;
        await page.waitForTimeout(30);
    }
    assert.fail(`never: ${condition}`);
}
// Nothing moves, and the picture is as fine as it gets; and is still so when what was drawn has come to the screen.
async function settled(page) {
    const isFine = () => document.body.dataset.fine === document.body.dataset.draws;
    const shown = () =>
        page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
    do {
        await page.waitForFunction(isFine);
        await shown();
    } while (!(await page.evaluate(isFine)));
}
// What there is to see then; it lies in FOLDER.
async function shoot(page, name) {
    await settled(page);
    return {name, picture: await page.screenshot({path: `${folder}/${name}.png`})};
}

// Whether two pictures are the same to the eye: the share of pixels that differ.
const difference = (a, b) =>
    judge.evaluate(
        async ([one, two]) => {
            const read = async text => {
                const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
                const canvas = new OffscreenCanvas(320, 200),
                    pen = canvas.getContext('2d');
                pen.drawImage(image, 0, 0, 320, 200);
                return pen.getImageData(0, 0, 320, 200).data;
            };
            const [p, q] = [await read(one), await read(two)];
            let differ = 0;
            for (let k = 0; k < p.length; k += 4)
                if (Math.abs(p[k] - q[k]) + Math.abs(p[k + 1] - q[k + 1]) + Math.abs(p[k + 2] - q[k + 2]) > 60)
                    differ++;
            return differ / (p.length / 4);
        },
        [a.picture.toString('base64'), b.picture.toString('base64')],
    );
async function alike(a, b, what, most = 0.002) {
    const share = await difference(a, b);
    assert(share <= most, `${what}: ${a.name}.png and ${b.name}.png differ in ${share} of their pixels`);
}
async function unlike(a, b, what, least = 0.03) {
    const share = await difference(a, b);
    assert(share > least, `${what}: ${a.name}.png and ${b.name}.png differ only in ${share} of their pixels`);
}

// Of a saved picture: its size; how many pixels are no paper in three corners, of 12 % by 5 %; and how many in its
// middle, in how many columns and lines of it, and at its left and right, are no grey.
const marks = data =>
    judge.evaluate(async text => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob()),
            {width, height} = image,
            pen = new OffscreenCanvas(width, height).getContext('2d');
        pen.drawImage(image, 0, 0);
        const [w, h] = [Math.round(0.12 * width), Math.round(0.05 * height)];
        const ink = (x, y) => {
            const p = new Uint32Array(pen.getImageData(x, y, w, h).data.buffer);
            return p.reduce((sum, pixel) => sum + (pixel !== 0xffffffff), 0);
        };
        const middle = pen.getImageData(0, 0.1 * height, width, 0.75 * height).data;
        let coloured = 0;
        const columns = new Set(),
            lines = new Set();
        for (let k = 0; k < middle.length; k += 4) {
            if (Math.abs(middle[k] - middle[k + 1]) <= 30) continue;
            coloured++;
            columns.add((k / 4) % width);
            lines.add(Math.floor(k / 4 / width));
        }
        const edges = [0, 0.9 * width].map(x => {
            const p = pen.getImageData(x, 0.1 * height, 0.1 * width, 0.75 * height).data;
            return p.reduce((sum, _, k) => sum + (k % 4 === 0 && Math.abs(p[k] - p[k + 1]) > 30), 0);
        });
        const corners = [ink(0, 0), ink(0, height - h), ink(width - w, height - h)];
        return {width, height, coloured, edges, corners, wide: columns.size, high: lines.size};
    }, data.toString('base64'));

async function testLive() {
    const page = await open(live);
    const before = Number(await data(page, 'time'));
    await until(page, d => Number(d.time) > before);
    await until(page, d => Number(d.frames) > 5);
    await page.keyboard.press(' ');
    await until(page, d => d.state === 'paused');
    await settled(page);
    const events = Number(await data(page, 'events'));
    await page.click('#step');
    await until(page, d => Number(d.events) === events + 1);
    await page.keyboard.press('.');
    await until(page, d => Number(d.events) === events + 2);
    assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Play');
    const still = await shoot(page, 'live');
    await alike(still, await shoot(page, 'live-again'), 'paused, nothing moves', 0);
    await page.keyboard.press('ArrowLeft');
    await unlike(still, await shoot(page, 'turned'), 'the view turns');
    await page.keyboard.press('0');
    await alike(still, await shoot(page, 'turned-back'), 'and turns back');
    await page.selectOption('#field', 'height');
    await unlike(still, await shoot(page, 'height'), 'another field, other colours');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#shot')]);
    await download.saveAs(`${folder}/saved.png`);
    assert(
        readFileSync(`${folder}/saved.png`).subarray(1, 4).equals(Buffer.from('PNG')) &&
            statSync(`${folder}/saved.png`).size > 20000,
    );
    const seen = await marks(readFileSync(`${folder}/saved.png`));
    assert(Math.min(...seen.corners) > 20, `time, bar and legend stand in its corners: ${seen.corners}`);
    assert(seen.width < 1.5 * seen.height, `the box of a gas is all that it shows: ${seen.width} x ${seen.height}`);
    const speed = await page.locator('#speed-text').textContent();
    await page.keyboard.press(']');
    await page.waitForFunction(old => document.getElementById('speed-text').textContent !== old, speed);
    await page.click('#play');
    await until(page, d => d.state === 'running' && Number(d.events) > events + 2);
    await page.close();
    console.log(`live: frames, pause, steps, view, fields, a picture saved as ${download.suggestedFilename()}`);
}

// Pauses at a frame. One that is there already is not asked for: its second coming could not be told from the first.
async function show(page, index, frames) {
    await page.locator('#frame').focus();
    if (Number(await data(page, 'index')) !== index) await page.locator('#frame').fill(String(index));
    await until(page, d => Number(d.index) === index && d.state === 'paused');
    await page.waitForFunction(
        text => document.getElementById('frame-text').textContent === text,
        `${index + 1} of ${frames}`,
    );
}

async function testReplay() {
    const page = await open(replay, {colorScheme: 'dark'});
    await until(page, d => Number(d.charts) > 0);
    assert.equal(await page.locator('#charts figure').count(), 2 + Number(await data(page, 'charts')));
    if ((await data(page, 'state')) !== 'paused') await page.keyboard.press(' ');
    await until(page, d => d.state === 'paused');
    const frames = Number(await page.locator('#frame').getAttribute('max')) + 1;
    const shots = [];
    for (const [name, index] of Object.entries({first: 0, last: frames - 1, 'first-again': 0})) {
        await show(page, index, frames);
        shots.push(await shoot(page, name));
    }
    await unlike(shots[0], shots[1], 'the first frame is not the last');
    await alike(shots[0], shots[2], 'and looks the same when it is shown again');
    await show(page, frames - 1, frames);
    await page.selectOption('#field', 'layers');
    const layers = await shoot(page, 'layers');
    const axes = await page
        .locator('#charts canvas:not([data-table])')
        .evaluateAll(all => all.map(({dataset}) => `${dataset.left} ${dataset.end}`));
    assert(axes.length > 1 && new Set(axes).size === 1, `a time is at the same place in each chart: ${axes}`);
    await unlike(shots[1], layers, 'by the layers of contacts', 0.01);
    assert.match(await page.locator('#legend').textContent(), /^0[1-9]$/);
    await page.close();
    console.log(`replay: ${frames} frames, scrubbed; layers`);
    return shots;
}

// The same result as a file, without a network: the same pictures, and the same controls.
async function testSaved(served) {
    const page = await open(saved, {colorScheme: 'dark', offline: true});
    await until(page, d => d.state === 'running' || Number(d.index) > 0); // it plays by itself
    await page.keyboard.press(' ');
    await until(page, d => d.state === 'paused');
    const frames = Number(await page.locator('#frame').getAttribute('max')) + 1;
    assert.equal(await page.locator('#charts figure').count(), 2 + Number(await data(page, 'charts')));
    await show(page, frames - 1, frames);
    await alike(served[1], await shoot(page, 'saved-last'), 'the last frame, from a server and from a file');
    await show(page, 0, frames);
    const first = await shoot(page, 'saved-first');
    await alike(served[0], first, 'the first frame, from a server and from a file');
    await page.keyboard.press('.');
    await until(page, d => Number(d.index) === 1);
    await page.click('#step');
    await until(page, d => Number(d.index) === 2 && d.state === 'paused');
    const speed = await page.locator('#speed-text').textContent();
    await page.keyboard.press('[');
    await page.waitForFunction(old => document.getElementById('speed-text').textContent !== old, speed);
    for (let n = 0; n < 12; n++) await page.keyboard.press(']');
    await page.click('#play');
    await until(page, d => d.state === 'paused' && Number(d.index) === frames - 1); // as fast as it goes, to the end
    for (let n = 0; n < 12; n++) await page.keyboard.press('[');
    await page.click('#play');
    await until(page, d => d.state === 'running' && Number(d.index) === 0); // from the start again
    await page.keyboard.press(' ');
    await show(page, 0, frames);
    await page.locator('#stage').focus();
    await page.keyboard.press('ArrowLeft');
    await unlike(first, await shoot(page, 'saved-moved'), 'the view moves');
    await page.keyboard.press('0');
    await page.selectOption('#field', 'height');
    await unlike(first, await shoot(page, 'saved-height'), 'another field, other colours', 0.01);
    await page.close();

    const part = await open(thinned, {offline: true});
    await until(part, d => d.state === 'running' || Number(d.index) > 0);
    await part.keyboard.press(' ');
    assert.equal(await part.locator('#frame').getAttribute('max'), '4');
    assert.equal(await part.locator('#scrub').getAttribute('title'), `5 of the ${frames} frames of the run`);
    await show(part, 4, 5);
    assert.equal(Number(await data(part, 'time')), 5, 'the last frame is there');
    await part.close();

    const framed = await browser.newPage(); // as notebooks show it
    await framed.setContent('<iframe width="900" height="600"></iframe>');
    await framed.evaluate(
        text => (document.querySelector('iframe').srcdoc = text),
        readFileSync(new URL(thinned), 'utf-8'),
    );
    const inner = framed.frameLocator('iframe');
    await inner.locator('body[data-index="1"]').waitFor();
    await framed.close();

    const old = await browser.newPage();
    await old.addInitScript(() => delete window.DecompressionStream);
    await old.goto(saved);
    await old.waitForFunction(() => document.getElementById('notice').textContent.includes('DecompressionStream'));
    await old.close();
    console.log(`saved: ${frames} frames from a file, in a frame; a browser without DecompressionStream says so`);
}

// The server goes while the page is open: what to do stands there; and when it is back the page goes on.
async function testLost() {
    const serve = (...more) => {
        const server = spawn(carom, ['view', scene, '--no-browser', ...more], {stdio: ['ignore', 'pipe', 'ignore']});
        return new Promise(done => server.stdout.once('data', url => done([server, String(url).trim()])));
    };
    const [server, url] = await serve(),
        {port} = new URL(url);
    const page = await open(url);
    // A frame that has come, and is drawn after the loss only.
    await page.evaluate(() => {
        window.held = [];
        window.freely = window.requestAnimationFrame;
        window.requestAnimationFrame = draw => window.held.push(draw);
    });
    await page.waitForFunction(() => window.held.length > 0);
    const ended = new Promise(done => server.once('exit', done));
    server.kill('SIGINT');
    await ended;
    await until(page, d => d.state === 'lost');
    await page.evaluate(() => {
        window.requestAnimationFrame = window.freely;
        window.held.forEach(draw => draw(performance.now()));
    });
    assert.equal(await data(page, 'state'), 'lost', 'what is drawn later is older');
    assert.match(await page.locator('#notice').textContent(), new RegExp(`--port ${port}`));
    assert(await page.locator('#play').isDisabled());
    assert(!(await page.locator('.on-play').isVisible()), 'nothing plays');
    await page.screenshot({path: `${folder}/lost.png`});
    const [again] = await serve('--port', port);
    await until(page, d => d.state === 'running');
    assert(!(await page.locator('#notice').isVisible()));
    faults.splice(0, faults.length, ...faults.filter(fault => !/ERR_CONNECTION_REFUSED/.test(fault)));
    await page.close();
    again.kill('SIGINT');
    console.log('lost: says how to go on, and does');
}

// One particle in a box that is a milliard times as wide.
async function testTiny() {
    const page = await open(tiny);
    await settled(page);
    assert(await page.locator('#enlarged').isVisible());
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('s')]);
    await download.saveAs(`${folder}/tiny.png`);
    const {coloured} = await marks(readFileSync(`${folder}/tiny.png`));
    assert(coloured > 20, `a dot is seen: ${coloured} pixels`);
    await page.close();
    console.log(`tiny: a dot of ${coloured} pixels`);
}

// A disk that crosses a periodic boundary: a part on the left, a part on the right, and none outside.
async function testEdge() {
    const page = await open(edge);
    await settled(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('s')]);
    await download.saveAs(`${folder}/edge.png`);
    const {edges, coloured} = await marks(readFileSync(`${folder}/edge.png`));
    assert(edges[0] > 1.2 * edges[1] && edges[1] > 100, `on both sides: ${edges}`);
    await page.close();
    console.log(`edge: ${edges} of ${coloured} pixels`);
}

// An ellipsoid that stands: 4 times as high as wide, and no ball.
async function testEgg() {
    const page = await open(egg);
    await settled(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('s')]);
    await download.saveAs(`${folder}/egg.png`);
    const {wide, high} = await marks(readFileSync(`${folder}/egg.png`));
    assert(high > 2.5 * wide && high < 4.5 * wide, `seen from above the side: ${wide} x ${high}`);
    await page.close();
    console.log(`egg: ${wide} x ${high} pixels`);
}

// A ball that touches the walls of a closed mesh from within: an opaque mesh hides it, and nothing shines through.
async function testMeshes() {
    const page = await open(cup),
        coloured = {};
    assert.equal(await page.locator('#meshes').inputValue(), 'solid', 'as the scene says');
    for (const look of ['solid', 'transparent', 'edges', 'hidden']) {
        await page.selectOption('#meshes', look);
        await settled(page);
        await page.screenshot({path: `${folder}/cup-${look}.png`});
        const [download] = await Promise.all([page.waitForEvent('download'), page.click('#shot')]);
        await download.saveAs(`${folder}/cup.png`);
        coloured[look] = (await marks(readFileSync(`${folder}/cup.png`))).coloured;
    }
    assert.equal(coloured.solid, 0, `the ball is hidden: ${JSON.stringify(coloured)}`);
    for (const look of ['transparent', 'edges', 'hidden']) assert(coloured[look] > 1000, JSON.stringify(coloured));
    await page.close();
    console.log(`meshes: ${JSON.stringify(coloured)} pixels of a ball within`);
}

// Two disks bonded or stuck through a boundary: apart in the box, or side by side, one of them outside.
async function testWhole(url, field) {
    const page = await open(url);
    if (field === 'cluster') await until(page, d => d.state === 'ended');
    const save = async name => {
        await settled(page);
        const [download] = await Promise.all([page.waitForEvent('download'), page.click('#shot')]);
        await download.saveAs(`${folder}/${name}.png`);
        return marks(readFileSync(`${folder}/${name}.png`));
    };
    await page.selectOption('#field', field);
    assert(!(await page.locator('#whole').isChecked()), 'as the scene says');
    const apart = await save(`${field}-apart`);
    await page.locator('#whole').check();
    const whole = await save(`${field}-whole`);
    assert(apart.edges[0] === 0 || apart.edges[1] > 1000, `apart: ${apart.edges}`);
    assert(whole.edges[0] > 1000 && whole.edges[1] === 0, `the second on the left: ${whole.edges}`);
    await page.close();
    console.log(`${field}: ${apart.edges} pixels at the sides, whole ${whole.edges}`);
}

// Trees of touching balls, wrapped into a box, come back in one piece; rings round the box stay.
function testClusters() {
    let state = 1;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    for (const dimension of [2, 3]) {
        const box = [5, 4, dimension === 3 ? 5 : 1],
            periodic = [true, true, dimension === 3],
            grown = [];
        for (let clusters = 0; clusters < 20; clusters++) {
            const first = grown.length;
            for (let n = 0; n < 25; n++) {
                const radius = 0.05 + 0.1 * random(),
                    from = n > 0 ? grown[first + Math.floor(n * random())] : null,
                    way = [0, 1, 2].map(k => (k < dimension ? random() - 0.5 : 0)),
                    reach = from ? (from.radius + radius) / Math.hypot(...way) : 0;
                const at = way.map((x, k) => (from ? from.at[k] + reach * x : k < dimension ? box[k] * random() : 0));
                grown.push({at, radius, cluster: first});
            }
        }
        const wrap = (x, k) => (periodic[k] ? x - box[k] * Math.floor(x / box[k]) : x),
            places = Float64Array.from(grown.flatMap(({at, radius}) => [...at.map(wrap), radius])),
            system = {places, points: grown.length, dimension, box, periodic, rounding: 1e-9};
        const shift = unwrapClusters(system, grown.map(ball => ball.cluster));
        let moved = 0;
        grown.forEach(({at, cluster: first}, n) => {
            for (let k = 0; k < dimension; k++) {
                const [here, root] = [n, first].map(i => places[4 * i + k] + box[k] * shift[3 * i + k]);
                assert(Math.abs(here - root - (at[k] - grown[first].at[k])) < 1e-9, `ball ${n} is in its place`);
                moved += shift[3 * n + k] !== 0;
            }
        });
        assert(moved > 20, `some cross: ${moved}`);
    }
    const places = Float64Array.from(Array.from({length: 10}, (_, n) => [n, 2, 0, 0.5]).flat()),
        ring = {places, points: 10, dimension: 2, box: [10, 4], periodic: [true, true], rounding: 0};
    assert(unwrapClusters(ring, new Array(10).fill(0)).every(x => x === 0), 'a ring round the box stays');
    console.log('clusters: in one piece');
}

// A trough from above: its left side is one plane in one light, and darker only where it meets the other.
async function testHollow() {
    const page = await open(trough);
    await settled(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#shot')]);
    await download.saveAs(`${folder}/trough.png`);
    const [far, near] = await judge.evaluate(async text => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob()),
            {width, height} = image,
            pen = new OffscreenCanvas(width, height).getContext('2d');
        pen.drawImage(image, 0, 0);
        const row = pen.getImageData(0, Math.round(height / 2), width, 1).data,
            light = [];
        for (let x = 0; x < width; x++) if (row[4 * x] < 250) light.push(row[4 * x + 1]);
        const mean = (from, to) => {
            const part = light.slice(from * light.length, to * light.length);
            return part.reduce((a, b) => a + b, 0) / part.length;
        };
        return [mean(0.2, 0.25), mean(0.45, 0.48)];
    }, readFileSync(`${folder}/trough.png`).toString('base64'));
    assert(near < 0.93 * far, `darker in the hollow: ${near}, away from it ${far}`);
    await page.close();
    console.log(`hollow: ${near.toFixed(0)} of 255, away from it ${far.toFixed(0)}`);
}

async function testPhone() {
    const page = await open(live, {
        viewport: {width: 360, height: 740},
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: 2,
    });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(await wide(), 360, 'nothing is wider than the phone');
    assert(!(await page.locator('#panel').isVisible()));
    await page.tap('#sheet');
    assert((await page.locator('#field').isVisible()) && (await page.locator('#charts canvas').first().isVisible()));
    assert.equal(await wide(), 360);
    for (const button of await page.locator('button:visible').all()) {
        const box = await button.boundingBox();
        assert(
            box.x >= 0 && box.x + box.width <= 360 && box.width >= 44 && box.height >= 44,
            'buttons are there to be touched',
        );
        assert(await button.getAttribute('aria-label'), 'and have names');
    }
    assert((await page.locator('#speed').boundingBox()).height >= 44, 'and so is the slider');
    await page.screenshot({path: `${folder}/phone.png`});
    await page.close();
    console.log('phone: 360 pixels are enough');
}

try {
    await testLive();
    await testSaved(await testReplay());
    await testTiny();
    await testEdge();
    await testEgg();
    await testMeshes();
    testClusters();
    await testWhole(pair, 'molecule');
    await testWhole(merged, 'cluster');
    await testHollow();
    await testLost();
    await testPhone();
    assert.deepEqual(faults, [], 'no error on the console');
    assert.deepEqual(foreign, [], 'no request goes to another host');
} finally {
    await browser.close();
}
