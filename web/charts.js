// Small line charts against time.
import {number} from './colours.js';

const STRETCHES = 100; // intervals of a chart of rates
const FONT = '11px system-ui, sans-serif';
const MOST = 2400; // number of moments stored; above it, every other moment is removed
const colours = ['--accent', '#e08a2e', '#2a9d78', '#c8549a', '#8a63d2', '#7a8290', '#d04a4a', '#3aa6c9'];
const words = name => name.replaceAll('_', ' ');

export class Charts {
    constructor(element, hello) {
        this.moments = [];
        this.begin = hello.begin;
        this.element = element;
        element.replaceChildren();
        this.list = [];
        this.add('Energy', [
            ['total', m => m.total],
            ['kinetic', m => m.kinetic],
            ['potential', m => m.potential],
            ['stored', m => m.stored],
        ]);
        const rates = hello.clusters ? 'Merges per time' : 'Events per time';
        this.add(rates, [['rate', m => m.rate]], {zero: true, rates: true});
        if (hello.clusters) this.add('Clusters', [['clusters', m => m.clusters]], {zero: true});
    }

    add(name, lines, options = {}) {
        const figure = document.createElement('figure'),
            caption = document.createElement('figcaption');
        const title = document.createElement('span'),
            value = document.createElement('output'),
            canvas = document.createElement('canvas');
        const legend = document.createElement('ul');
        title.className = 'name';
        title.textContent = name;
        canvas.setAttribute('role', 'img');
        if (options.table) canvas.dataset.table = '';
        caption.append(title, value);
        figure.append(caption, canvas, legend);
        this.element.append(figure);
        if (options.title) caption.title = options.title;
        const chart = {name, lines, options, value, canvas, legend, shown: ''};
        this.list.push(chart);
        return chart;
    }

    // The observables of the scene: series against time, and tables of their present values.
    observe(list) {
        this.observed ??= new Map();
        list.forEach(({of, unit, series, x, at, lines}, k) => {
            const names = lines.map(line => words(line.name)),
                over = series ? '' : ` over ${words(x)}`,
                name = names.length > 1 ? words(of) : `${names[0]}${over}`,
                title = `${words(of)}${unit ? ` (${unit})` : ''}`;
            if (!this.observed.has(k))
                this.observed.set(
                    k,
                    this.add(
                        name,
                        names.map((line, n) => [line, m => m.values[n]]),
                        {table: !series, title},
                    ),
                );
            this.observed.get(k).rows = at.map((time, n) => ({time, values: lines.map(line => line.values[n])}));
        });
    }

    history(moments) {
        this.moments = [];
        for (const moment of moments) this.know(moment);
    }

    // Selection of charts.
    push(moment) {
        this.now = moment;
        this.know(moment);
    }

    // In order of time; earlier moments are ignored.
    know(moment) {
        const last = this.moments[this.moments.length - 1];
        const span = last ? moment.time - last.time : 0;
        if (last && !(span > 5e-4 * (last.time - this.moments[0].time))) return; // too short for a rate
        this.moments.push(moment);
        if (this.moments.length > MOST) this.moments = this.moments.filter((_, k) => k % 2 === 0);
    }

    // Events per time, in intervals of sufficient length, from the start to the end of each.
    rates() {
        const all = this.moments,
            rates = [];
        let from = 0;
        for (let k = 1; k < all.length; k++) {
            const span = all[k].time - all[from].time;
            if (span < (all[all.length - 1].time - all[0].time) / STRETCHES) continue;
            const rate = (all[k].events - all[from].events) / span;
            rates.push({time: all[from].time, rate}, {time: all[k].time, rate});
            from = k;
        }
        return rates;
    }

    draw() {
        const measured = this.list.map(chart => this.measure(chart)),
            gutter = Math.max(...measured.map(({wide}) => wide));
        this.list.forEach((chart, k) => this.drawChart(chart, measured[k], gutter));
    }

    // The series of a chart, its range, and the width of its labels; all charts have the width of the widest.
    measure({canvas, lines, options, rows}) {
        const all = rows ?? (options.rates ? this.rates() : this.moments);
        const used = lines.filter(([, of], k) => k === 0 || all.some(m => of(m) !== 0));
        if (used.length === 2 && used[1][0] === 'kinetic') used.pop(); // it equals the total
        const values = used.flatMap(([, of]) => all.map(of)).filter(Number.isFinite);
        let low = options.zero ? 0 : Math.min(...values),
            high = Math.max(...values);
        const most = Math.max(Math.abs(low), Math.abs(high));
        if (Math.abs(low) < 1e-3 * most) low = 0;
        const pad = 0.05 * (most || 1);
        if (!(high - low > 1e-6 * most)) [low, high] = [options.zero ? 0 : low - pad, high + pad]; // constant
        if (values.length === 0) [low, high] = [0, 1];
        const pen = canvas.getContext('2d'),
            labels = [number(high), number(low)];
        pen.font = FONT;
        return {all, used, low, high, labels, wide: Math.max(...labels.map(text => pen.measureText(text).width))};
    }

    // The range: that of all charts in time; a table has its own.
    range({options}, all) {
        const begin = options.table ? (all[0]?.time ?? 0) : (this.begin ?? 0),
            known = options.table ? all : this.moments;
        return [begin, known.length > 1 ? known[known.length - 1].time : begin + 1];
    }

    drawChart(chart, {all, used, low, high, labels}, gutter) {
        const {canvas, lines} = chart,
            ratio = window.devicePixelRatio || 1,
            width = canvas.clientWidth,
            height = canvas.clientHeight;
        if (width === 0) return;
        const style = getComputedStyle(document.documentElement),
            tint = name => (name.startsWith('--') ? style.getPropertyValue(name).trim() : name);
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        const pen = canvas.getContext('2d'),
            [begin, end] = this.range(chart, all);
        pen.scale(ratio, ratio);
        pen.font = FONT;
        const top = 8,
            bottom = height - 18,
            left = Math.ceil(gutter) + 8,
            right = width - 2;
        canvas.dataset.left = left;
        canvas.dataset.end = end;
        const x = t => left + ((right - left) * (t - begin)) / (end - begin),
            y = v => bottom - ((bottom - top) * (v - low)) / (high - low);
        this.axes(pen, tint, {left, right, top, bottom, labels, begin: number(begin), end: number(end)});
        used.forEach(([, of], k) => {
            pen.strokeStyle = tint(colours[lines.findIndex(line => line[1] === of)]);
            pen.lineWidth = k === 0 ? 1.8 : 1.3;
            pen.lineJoin = 'round';
            pen.beginPath();
            let on = false;
            for (const m of all) {
                const v = of(m);
                if (Number.isFinite(v)) pen[on ? 'lineTo' : 'moveTo'](x(m.time), y(v));
                on = Number.isFinite(v);
            }
            pen.stroke();
        });
        if (this.now && this.now.time < end && !chart.options.table) {
            // position in a file
            pen.strokeStyle = tint('--soft');
            pen.lineWidth = 1;
            pen.beginPath();
            pen.moveTo(x(this.now.time), top);
            pen.lineTo(x(this.now.time), bottom);
            pen.stroke();
        }
        this.words(chart, all, used, tint);
    }

    axes(pen, tint, {left, right, top, bottom, labels, begin, end}) {
        pen.strokeStyle = tint('--line');
        pen.lineWidth = 1;
        pen.beginPath();
        for (const at of [top, bottom]) {
            pen.moveTo(left, at + 0.5);
            pen.lineTo(right, at + 0.5);
        }
        pen.stroke();
        pen.fillStyle = tint('--soft');
        pen.textAlign = 'right';
        pen.textBaseline = 'middle';
        pen.fillText(labels[0], left - 5, top);
        pen.fillText(labels[1], left - 5, bottom);
        pen.textBaseline = 'top';
        pen.fillText(end, right, bottom + 5);
        pen.textAlign = 'left';
        pen.fillText(begin, left, bottom + 5);
    }

    words(chart, all, used, tint) {
        const {lines} = chart,
            last = all[all.length - 1],
            known =
                this.now && last && this.now.time < last.time
                    ? all.findLast(m => m.time <= this.now.time)
                    : last;
        const value = known && !chart.options.table ? used[0][1](known) : NaN;
        chart.value.textContent = Number.isFinite(value) ? number(value) : '';
        chart.canvas.setAttribute(
            'aria-label',
            `${chart.name} against time; now ${chart.value.textContent || 'not known'}`,
        );
        const names = used.length > 1 ? used.map(([name]) => name).join() : '';
        if (names === chart.shown) return;
        chart.shown = names;
        chart.legend.replaceChildren(
            ...(names ? used : []).map(([name, of]) => {
                const item = document.createElement('li'),
                    mark = document.createElement('i');
                mark.style.background = tint(colours[lines.findIndex(line => line[1] === of)]);
                item.append(mark, name);
                return item;
            }),
        );
    }
}
