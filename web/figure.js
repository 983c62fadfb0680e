// A picture for saving: the visible part, cropped, with time, scale bar and legend of the colours, as in
// `carom render` (src/view/render/marks.c).
import {number} from './colours.js';

const LEAST_TEXT = 18; // pixels

// The largest number of the form 1, 2 or 5 times a power of ten that is at most x.
function nice(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return power * (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1);
}

// The bounding rectangle of all that is not background.
function contents(pen, width, height) {
    const pixels = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer),
        paper = pixels[0];
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            if (pixels[y * width + x] === paper) continue;
            left = Math.min(left, x);
            right = Math.max(right, x + 1);
            top = Math.min(top, y);
            bottom = y + 1;
        }
    return right > left ? {left, top, width: right - left, height: bottom - top} : {left: 0, top: 0, width, height};
}

function copy(canvas) {
    const made = Object.assign(document.createElement('canvas'), {width: canvas.width, height: canvas.height});
    made.getContext('2d', {willReadFrequently: true}).drawImage(canvas, 0, 0);
    return made;
}

// About a fifth of the width of the picture; returns its end.
function drawBar(pen, text, perLength) {
    const {width, height} = pen.canvas,
        length = nice((0.24 * width) / perLength),
        end = text + length * perLength,
        y = height - 1.5 * text;
    pen.beginPath();
    for (const x of [text, end]) {
        pen.moveTo(x, y - 0.3 * text);
        pen.lineTo(x, y + 0.3 * text);
    }
    pen.moveTo(text, y);
    pen.lineTo(end, y);
    pen.stroke();
    pen.fillText(number(length), end + 0.5 * text, y);
    return end + 0.5 * text + pen.measureText(number(length)).width;
}

function drawRamp(pen, text, left, legend, map) {
    const {width, height} = pen.canvas,
        y = height - 1.5 * text,
        low = `${legend.name}  ${legend.low}`;
    const right = width - 1.5 * text - pen.measureText(legend.high).width,
        room = right - left - 2 * text - pen.measureText(low).width,
        wide = Math.min(11 * text, room);
    if (wide < 2 * text) return;
    const ramp = pen.createLinearGradient(right - wide, 0, right, 0);
    map.forEach((colour, k) => ramp.addColorStop(k / (map.length - 1), colour));
    pen.fillText(legend.high, right + 0.5 * text, y);
    pen.textAlign = 'right';
    pen.fillText(low, right - wide - 0.5 * text, y);
    pen.fillStyle = ramp;
    pen.fillRect(right - wide, y - 0.45 * text, wide, 0.9 * text);
}

function drawEntries(pen, text, left, entries, ink) {
    const {width, height} = pen.canvas,
        y = height - 1.5 * text;
    let x = width - text;
    pen.textAlign = 'right';
    for (const [colour, name] of [...entries].reverse()) {
        const wide = pen.measureText(name).width;
        if (x - wide - 1.6 * text < left) return;
        pen.fillStyle = ink;
        pen.fillText(name, x, y);
        pen.fillStyle = colour;
        pen.beginPath();
        pen.arc(x - wide - 0.8 * text, y, 0.4 * text, 0, 2 * Math.PI);
        pen.fill();
        x -= wide + 2.4 * text;
    }
}

// stage: has just drawn, on a light background; perLength: pixels per length at the depth of the centre.
export function figure(stage, perLength, {time, note, legend, theme, map}) {
    const seen = copy(stage),
        part = contents(seen.getContext('2d'), seen.width, seen.height),
        text = Math.round(Math.min(Math.max(Math.sqrt(part.width * part.height) / 48, LEAST_TEXT), 40));
    const made = document.createElement('canvas'),
        pen = made.getContext('2d');
    made.width = Math.max(part.width, 26 * text) + 2 * text;
    made.height = Math.round(part.height + 5.2 * text);
    pen.fillStyle = theme.paper;
    pen.fillRect(0, 0, made.width, made.height);
    const at = Math.round((made.width - part.width) / 2);
    pen.drawImage(
        seen, part.left, part.top, part.width, part.height, at, Math.round(2.2 * text), part.width, part.height,
    );
    pen.fillStyle = pen.strokeStyle = theme.ink;
    pen.lineWidth = Math.max(1, text / 9);
    pen.font = `${text}px system-ui, sans-serif`;
    pen.textBaseline = 'middle';
    pen.fillText(`t = ${number(time)}${note && ', '}${note}`, text, 1.2 * text);
    const left = drawBar(pen, text, perLength);
    if (legend.ramp) drawRamp(pen, text, left, legend, map);
    else if (legend.entries?.length > 1) drawEntries(pen, text, left, legend.entries, theme.ink);
    return made;
}
