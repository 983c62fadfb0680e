// Messages that are in the page itself (docs/view.md: a page in a file), in place of a connection. Commands have the same
// effects as those to `carom view` for a result.
import {Source} from './link.js';

const TEXT = 0,
    BINARY = 1,
    FRAME = 2; // and the order of its differences
const SECONDS = 15; // for all frames at the usual speed
const TIME = 16; // offset in a frame

async function unpack(text) {
    if (typeof DecompressionStream === 'undefined')
        throw new Error('This browser cannot unpack the frames: it has no DecompressionStream. Use a newer one.');
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

// A frame from differences: low bytes, then high bytes, each number with its sign in the lowest bit.
function restore(bytes, order, before) {
    const count = bytes.length / 2,
        words = new Uint16Array(count),
        [one, two] = [before.at(-1), before.at(-2)];
    for (let n = 0; n < count; n++) {
        const x = bytes[n] | (bytes[count + n] << 8);
        words[n] = (x >> 1) ^ -(x & 1);
        if (order === 1) words[n] += one[n];
        if (order === 2) words[n] += 2 * one[n] - two[n];
    }
    return words;
}

export const recorded = () => document.getElementById('recording');

export class Recording extends Source {
    constructor(on, element) {
        super(on);
        this.frames = [];
        this.times = [];
        this.index = 0;
        this.wanted = true; // the last picture has been drawn
        this.stale = true; // the picture differs from the state
        this.paused = false;
        this.seen = false; // pages in frames play when they come into sight
        this.open(element).catch(fault => on.failed(fault.message));
    }

    async open(element) {
        const buffer = await unpack(element.textContent);
        element.textContent = '';
        const records = [...this.records(buffer)];
        for (const {kind, bytes} of records) if (kind >= FRAME) this.keep(restore(bytes, kind - FRAME, this.frames));
        this.recorded = Number(element.dataset.recorded);
        for (const {kind, bytes} of records) {
            if (kind === TEXT) this.takeText(new TextDecoder().decode(bytes));
            if (kind === BINARY) this.takeBytes(bytes.slice().buffer);
        }
        new IntersectionObserver(([entry]) => this.sight(entry.isIntersecting)).observe(document.body);
        this.setClock();
        this.run();
    }

    *records(buffer) {
        const view = new DataView(buffer);
        for (let at = 0; at < buffer.byteLength; ) {
            const kind = view.getUint32(at, true),
                size = view.getUint32(at + 4, true);
            yield {kind, bytes: new Uint8Array(buffer, at + 8, size)};
            at += 8 + size + ((4 - (size % 4)) % 4);
        }
    }

    keep(words) {
        this.frames.push(words);
        this.times.push(new DataView(words.buffer).getFloat64(TIME, true));
    }

    greet(hello) {
        const [begin, end] = [this.times[0], this.times.at(-1)];
        this.speed = end > begin ? (end - begin) / SECONDS : Infinity;
        super.greet({...hello, frames: this.frames.length, begin, end, speed: end > begin ? this.speed : null});
    }

    // The frame has the state of the recording in place of that of a run.
    show(frame) {
        const {index, speed, frames, recorded} = this;
        const state = this.paused || !this.seen ? 'paused' : 'running';
        this.on.frame({...frame, state, index, speed, frames: frames.length, recorded, last: frame.moment});
    }

    sight(visible) {
        if (this.seen || !visible) return;
        this.seen = this.stale = true;
        this.setClock();
        this.run();
    }

    setClock() {
        this.wall = performance.now();
        this.time = this.times[this.index];
    }

    run() {
        if (this.awaited) return;
        this.awaited = true;
        requestAnimationFrame(() => {
            this.awaited = false;
            this.advance();
        });
    }

    // Shows the last frame that is due; without a pace, the next one.
    advance() {
        const last = this.frames.length - 1,
            plays = this.seen && !this.paused,
            before = this.index;
        if (plays && this.speed === Infinity) {
            if (this.wanted) this.index = Math.min(this.index + 1, last);
        } else if (plays) {
            const now = this.time + ((performance.now() - this.wall) / 1000) * this.speed;
            while (this.index < last && this.times[this.index + 1] <= now) this.index++;
        }
        this.stale ||= this.index !== before;
        if (plays && this.index === last) this.paused = this.stale = true;
        if (this.stale && this.wanted) {
            this.stale = this.wanted = false;
            this.takeBytes(this.frames[this.index].buffer);
        }
        if (this.seen && !this.paused) this.run();
    }

    say(words) {
        const [verb, text] = words.split(' '),
            number = text === 'max' ? Infinity : Number(text),
            last = this.frames.length - 1;
        if (verb === 'next') this.wanted = true;
        if (verb === 'play' && this.index === last) this.index = 0;
        if (verb === 'step') this.index = Math.min(this.index + number, last);
        if (verb === 'seek') this.index = Math.min(number, last);
        if (verb === 'speed') this.speed = number;
        if (verb !== 'next') {
            if (verb !== 'speed') this.paused = verb !== 'play';
            this.seen = this.stale = true;
            this.setClock();
        }
        if (this.stale || !this.paused) this.run();
    }
}
