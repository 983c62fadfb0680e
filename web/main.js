// The live page of `carom view`.
import {handle} from './camera.js';
import {Charts} from './charts.js';
import {Colours, bytes, number} from './colours.js';
import {figure} from './figure.js';
import {Link} from './link.js';
import {Recording, recorded} from './recording.js';
import {Stage} from './stage.js';

const at = id => document.getElementById(id);
const body = document.body,
    canvas = at('stage');
const SLOW = 24; // ms for a picture
const STILL = 250; // ms without a change before a finer picture is drawn
const words = {waiting: 'waiting', running: 'running', paused: 'paused', ended: 'ended', lost: 'no connection'};

const unanswered = 'There is no answer. Is `carom view` still running, and is the address whole?';
// A token is valid for one start only.
const gone = () =>
    'No connection: `carom view` has ended, or the network has. ' +
    (location.search.includes('token')
        ? 'Start it again, and open the address that it prints.'
        : `Start it again with \`--port ${location.port}\`, and this page reconnects.`);

let hello, things, colours, charts, frame, shown, theme, stage;
let dirty = false,
    fresh = false; // dirty: to be drawn; fresh: a frame that has not been drawn
let changed = 0,
    fine = false,
    chartsDue = 0,
    scrubbing = false,
    moved = false; // the user has changed the view; otherwise it shows the whole scene, for any size of the window
const counts = {frames: 0, draws: 0};

// ---- appearance

function rgb(name) {
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    return [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16) / 255);
}

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

function readTheme() {
    const dark = isDark();
    theme = {
        stage: rgb('--stage'),
        soft: rgb('--soft'),
        edge: dark ? [0, 0, 0] : [0.07, 0.1, 0.14],
        edgeAlpha: dark ? 0.42 : 0.3,
        fog: 1,
    };
    colours?.setTheme(dark);
    recolour();
}

function recolour() {
    if (frame !== undefined) {
        stage.setColours(colours.paint(at('field').value, frame));
        showLegend();
    }
    redraw();
}

function notice(text) {
    at('notice').textContent = text;
    at('notice').hidden = text === '';
}

function setState(state) {
    const before = body.dataset.state;
    if (before === state) return;
    body.dataset.state = state;
    const still = state !== 'running' && state !== 'waiting';
    body.toggleAttribute('data-paused', still);
    at('play').setAttribute('aria-label', still ? 'Play' : 'Pause');
    if (state === 'lost') notice(frame === undefined ? unanswered : gone());
    else if (before === 'lost') notice('');
    for (const id of ['play', 'step', 'speed', 'frame']) at(id).disabled = state === 'ended' || state === 'lost';
    at('state').textContent =
        state === 'ended' && frame.stop !== 'none' ? `ended: ${frame.stop.replace('_', ' ')}` : words[state];
}

function showLegend() {
    const {legend} = colours,
        element = at('legend'),
        key = JSON.stringify(legend);
    if (element.dataset.key === key) return;
    element.dataset.key = key;
    element.replaceChildren();
    if (legend.ramp) {
        const ramp = document.createElement('div'),
            ends = document.createElement('div');
        ramp.className = 'ramp';
        ramp.style.background = legend.ramp;
        ends.className = 'ends';
        ends.append(
            ...[legend.low, legend.high].map(text =>
                Object.assign(document.createElement('span'), {textContent: text}),
            ),
        );
        element.append(ramp, ends);
    } else if (legend.entries) {
        const list = document.createElement('ul');
        for (const [colour, name] of legend.entries) {
            const item = document.createElement('li'),
                mark = document.createElement('i');
            mark.style.background = colour;
            item.append(mark, name);
            list.append(item);
        }
        element.append(list);
    } else {
        element.textContent = legend.text;
    }
}

// ---- messages

const on = {
    hello(said) {
        hello = said;
        const many = hello.particles.toLocaleString('en').replaceAll(',', '\u202f');
        const shown = hello.stride > 1 ? `, one in ${hello.stride} shown` : '';
        const what = hello.grains === 0 ? 'vertices' : hello.particles === 1 ? 'particle' : 'particles';
        document.title = `${hello.title || 'carom'} – carom`;
        at('title').textContent = hello.title || 'carom';
        at('about').textContent = `${hello.engine}, ${hello.dimension}D, ${many} ${what}${shown}`;
        at('step').title = `One step (.): ${hello.step}`;
        at('step-words').textContent = hello.step;
        at('scrub').hidden = hello.frames === 0;
        at('done').hidden = hello.frames > 0 || hello.end === null;
        at('frame').max = Math.max(hello.frames - 1, 0);
        charts = new Charts(at('charts'), hello);
        notice('');
    },

    things(got) {
        const again = things !== undefined;
        things = got;
        colours = new Colours(hello, things, isDark());
        const field = at('field'),
            before = again ? field.value : colours.first();
        field.replaceChildren(...colours.fields.map(([value, text]) => new Option(text, value)));
        field.value = before;
        stage.setThings(hello, things);
        at('mesh-look').hidden = hello.meshes.length === 0 || hello.dimension === 2;
        if (!again) at('meshes').value = hello.view.meshes;
        stage.look = at('meshes').value;
        const pieces = things.segments.length + things.springs.length > 0 || (hello.clusters && hello.stride === 1);
        at('whole-choice').hidden = !pieces || !hello.boundary.includes('periodic');
        if (!again) at('whole').checked = hello.view.whole;
        stage.whole = at('whole').checked;
        moved = false;
        showSpeed();
    },

    history(moments) {
        charts.history(moments);
    },

    charts(list) {
        charts.observe(list);
        charts.draw();
        body.dataset.charts = list.length;
    },

    frame(got) {
        frame = got;
        fresh = dirty = true;
        delete body.dataset.fine;
        counts.frames++;
        changed = performance.now();
        requestAnimationFrame(draw);
    },

    lost() {
        if (fresh) takeFrame(); // the frame is older than this message
        fresh = false;
        setState('lost');
    },

    failed(text) {
        setState('lost');
        notice(text);
    },
};

// Number of events of a step.
function showGain() {
    const {moment, state} = frame,
        stepped = hello.frames === 0 && state === 'paused' && shown?.state === 'paused',
        events = stepped ? moment.events - shown.moment.events : 0;
    if (events > 0 || state !== 'paused')
        at('gained').textContent = events > 0 ? `+${number(events)} event${events === 1 ? '' : 's'}` : '';
    shown = frame;
}

function takeFrame() {
    showGain();
    stage.setFrame(frame, colours.paint(at('field').value, frame));
    charts.push(frame.moment);
    if (hello.frames > 0) charts.know(frame.last);
    setState(frame.state);
    at('time').textContent = number(frame.moment.time);
    if (hello.frames > 0) {
        if (!scrubbing) at('frame').value = frame.index;
        at('frame').max = frame.frames - 1;
        at('frame-text').textContent = `${frame.index + 1} of ${frame.frames}${frame.unfinished ? ' so far' : ''}`;
        at('scrub').title = frame.unfinished
            ? 'No run has finished this file yet: what one adds appears here.'
            : frame.recorded > frame.frames
              ? `${frame.frames} of the ${frame.recorded} frames of the run`
              : '';
    } else if (hello.end !== null) {
        const done = Math.min(1, (frame.moment.time - hello.begin) / (hello.end - hello.begin));
        at('done').setAttribute('aria-valuenow', Math.round(100 * done));
        at('done').firstElementChild.style.width = `${100 * done}%`;
    }
    showLegend();
    showSpeed();
    canvas.setAttribute(
        'aria-label',
        `${hello.title}: ${hello.particles} particles, at time ${number(frame.moment.time)}`,
    );
    body.dataset.frames = counts.frames;
    body.dataset.time = frame.moment.time;
    body.dataset.index = frame.index;
    body.dataset.events = frame.moment.events;
}

// ---- drawing

function redraw() {
    dirty = true;
    delete body.dataset.fine; // the fine picture is outdated
    changed = performance.now();
    requestAnimationFrame(draw);
}

// If drawing takes too long, pictures become coarser during motion, and finer again when there is time.
function drawInTime() {
    const measured = counts.draws % 8 === 0,
        began = performance.now();
    stage.draw(theme);
    if (frame !== undefined) at('enlarged').hidden = !stage.enlarges();
    if (!measured) return;
    stage.finish();
    const took = performance.now() - began,
        least = stage.software ? 0.5 : 0.35;
    if (took > SLOW) stage.scale = Math.max(least, stage.scale * Math.max(0.6, Math.sqrt(SLOW / took)));
    if (took < SLOW / 3) stage.scale = Math.min(1, stage.scale * 1.25);
}

function draw(now) {
    if (!dirty || stage === undefined) return;
    dirty = fine = false;
    const news = fresh;
    fresh = false;
    if (news) takeFrame();
    drawInTime();
    counts.draws++;
    body.dataset.draws = counts.draws;
    if (news) link.say('next');
    if (charts && now > chartsDue) {
        charts.draw();
        chartsDue = now + 150;
    }
}

// At rest: the picture at the finest resolution, and the present charts.
function refine() {
    if (dirty) return; // the next frame is drawn first
    stage.draw(theme, stage.software ? 2 : 1);
    charts.draw();
    body.dataset.fine = counts.draws;
}

setInterval(() => {
    if (fine || dirty || frame === undefined || performance.now() - changed < STILL) return;
    fine = true;
    requestAnimationFrame(refine);
}, 100);

// ---- user actions

function speedOf(step) {
    return step >= 9 ? Infinity : (hello.speed ?? 1) * 2 ** step;
}

function showSpeed() {
    const speed = frame ? frame.speed : speedOf(0);
    at('speed-text').textContent = Number.isFinite(speed)
        ? `${Number(speed.toPrecision(2))} t/s`
        : 'as fast as it goes';
    if (document.activeElement === at('speed')) return;
    const step = Number.isFinite(speed) && hello.speed ? Math.round(Math.log2(speed / hello.speed)) : 9;
    at('speed').value = step;
}

function setSpeed(step) {
    const speed = speedOf(Math.max(-6, Math.min(9, step)));
    link.say(Number.isFinite(speed) ? `speed ${speed}` : 'speed max');
}

const play = () => link.say(body.dataset.state === 'paused' ? 'play' : 'pause');
const step = () => link.say('step 1');

function move() {
    moved = true;
    redraw();
}

function fit() {
    moved = false;
    stage.camera.fit(stage.aspect());
    redraw();
}

function zoom(factor) {
    stage.camera.zoom(factor);
    move();
}

function shoot() {
    if (frame === undefined) return;
    const {camera} = stage,
        paper = bytes(colours.theme.paper).map(x => x / 255);
    stage.draw({...theme, stage: paper, fog: 0.25}, 2); // little fog, so that colours are legible
    const perLength = canvas.height / (camera.pixel() * (camera.flat ? 1 : camera.reach)),
        note = stage.enlarges() ? at('enlarged').textContent : '',
        about = {time: frame.moment.time, note, legend: colours.legend, theme: colours.theme, map: hello.colours.map};
    const made = figure(canvas, perLength, about);
    redraw();
    made.toBlob(blob => {
        const link = document.createElement('a'),
            name = (hello.title || 'carom').toLowerCase().replace(/[^a-z0-9]+/g, '-');
        link.href = URL.createObjectURL(blob);
        link.download = `${name}-${number(frame.moment.time)}.png`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
}

function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || hello === undefined) return;
    const inControl = /^(input|select)$/i.test(event.target.tagName),
        speed = Number(at('speed').value);
    const turns = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    const acts = {
        ' ': play,
        '.': step,
        '[': () => setSpeed(speed - 1),
        ']': () => setSpeed(speed + 1),
        0: fit,
        s: shoot,
        S: shoot,
        '+': () => zoom(1.2),
        '=': () => zoom(1.2),
        '-': () => zoom(1 / 1.2),
    };
    if (event.key === ' ' && event.target.tagName === 'BUTTON') return;
    if (event.key in turns && !inControl) {
        const [x, y] = turns[event.key];
        moved = true;
        if (stage.camera.flat) stage.camera.move(-0.05 * x, -0.05 * y);
        else stage.camera.turn(0.12 * x, 0.12 * y);
    } else if (event.key in acts && !(inControl && event.key === ' ')) {
        acts[event.key]();
    } else {
        return;
    }
    event.preventDefault();
    redraw();
}

function listen() {
    at('play').onclick = play;
    at('step').onclick = step;
    at('fit').onclick = fit;
    at('shot').onclick = shoot;
    at('speed').oninput = () => setSpeed(Number(at('speed').value));
    at('frame').oninput = () => {
        scrubbing = true;
        link.say(`seek ${at('frame').value}`);
    };
    at('frame').onchange = () => {
        scrubbing = false;
    };
    at('field').onchange = recolour;
    at('whole').onchange = () => {
        stage.whole = at('whole').checked;
        if (frame !== undefined) stage.setFrame(frame, colours.paint(at('field').value, frame));
        redraw();
    };
    at('meshes').onchange = () => {
        stage.look = at('meshes').value;
        redraw();
    };
    at('sheet').onclick = () => {
        at('sheet').setAttribute('aria-expanded', body.classList.toggle('sheet'));
        redraw();
    };
    addEventListener('keydown', key);
    new ResizeObserver(() => (moved ? redraw() : fit())).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', readTheme);
    handle(canvas, () => stage.camera, move);
    canvas.addEventListener('dblclick', fit);
    canvas.addEventListener('webglcontextlost', () => notice('The graphics have been lost; load the page again.'));
}

let link;
try {
    stage = new Stage(canvas);
    readTheme();
    listen();
    link = recorded() ? new Recording(on, recorded()) : new Link(on);
} catch (fault) {
    notice(fault.message);
    setState('lost');
}
