// The camera. In 3D it orbits about a target; in 2D it looks perpendicularly at the plane.
const fov = (32 * Math.PI) / 180;

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export class Camera {
    // view: as in the first message; for azimuth 0 the camera looks along the axis after `up`.
    constructor(dimension, view = {azimuth: 30, elevation: 22, zoom: 1, target: null, up: 2}) {
        this.flat = dimension === 2;
        this.view = view;
        this.look();
        this.target = [0, 0, 0];
        this.reach = 1; // 2D: half of the visible length of the shorter side; 3D: the distance
        this.bounds = [
            [0, 0, 0],
            [1, 1, 1],
        ];
    }

    look() {
        const degree = Math.PI / 180;
        this.yaw = (this.view.azimuth - 90) * degree;
        this.pitch = Math.max(-1.55, Math.min(1.55, this.view.elevation * degree));
    }

    fit(aspect) {
        const [low, high] = this.bounds,
            {target, zoom} = this.view;
        this.target = low.map((x, k) => target?.[k] ?? (x + high[k]) / 2);
        if (this.flat) {
            const half = low.map((x, k) => Math.max(high[k] - this.target[k], this.target[k] - x));
            this.reach = (1.08 * Math.max(half[1], half[0] / aspect, 1e-9)) / zoom;
            return;
        }
        this.look();
        this.reach = 1;
        const {right, up, back} = this.axes();
        let far = 1e-9; // until all corners are within the viewing frustum
        for (let corner = 0; corner < 8; corner++) {
            const r = [0, 1, 2].map(k => ((corner >> k) & 1 ? high[k] : low[k]) - this.target[k]);
            const high_ = Math.abs(dot(r, up)) / Math.tan(fov / 2),
                wide = Math.abs(dot(r, right)) / Math.tan(fov / 2) / aspect;
            far = Math.max(far, dot(r, back) + 1.06 * Math.max(high_, wide));
        }
        this.reach = far / zoom;
    }

    axes() {
        if (this.flat) return {right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1]};
        const cy = Math.cos(this.yaw),
            sy = Math.sin(this.yaw),
            cp = Math.cos(this.pitch),
            sp = Math.sin(this.pitch);
        const turned = v => [0, 1, 2].map(k => v[(k + 2 - this.view.up) % 3]); // the axis that points up comes last
        const back = turned([cp * cy, cp * sy, sp]),
            right = turned([-sy, cy, 0]);
        return {right, up: cross(back, right), back};
    }

    // In column order, as in WebGL: view matrix, and the numbers of the projection.
    matrices(aspect) {
        const {right, up, back} = this.axes(),
            t = this.target;
        const shift = this.flat ? 0 : -this.reach;
        const view = [
            right[0],
            up[0],
            back[0],
            0,
            right[1],
            up[1],
            back[1],
            0,
            right[2],
            up[2],
            back[2],
            0,
            -dot(right, t),
            -dot(up, t),
            -dot(back, t) + shift,
            1,
        ];
        if (this.flat) {
            const y = 1 / this.reach,
                x = y / aspect;
            return {view, projection: [x, 0, 0, 0, 0, y, 0, 0, 0, 0, -1e-3, 0, 0, 0, 0, 1]};
        }
        const size = Math.hypot(...this.bounds[0].map((x, k) => this.bounds[1][k] - x));
        const near = Math.max(this.reach / 200, this.reach - 2 * size),
            far = this.reach + 3 * size,
            f = 1 / Math.tan(fov / 2);
        return {
            view,
            projection: [
                f / aspect,
                0,
                0,
                0,
                0,
                f,
                0,
                0,
                0,
                0,
                (near + far) / (near - far),
                -1,
                0,
                0,
                (2 * near * far) / (near - far),
                0,
            ],
        };
    }

    // Height of the picture: in the scene; in 3D at a distance of one.
    pixel() {
        return this.flat ? 2 * this.reach : 2 * Math.tan(fov / 2);
    }

    turn(dx, dy) {
        // radians
        this.yaw -= dx;
        this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + dy));
    }

    move(dx, dy) {
        // in heights of the view; the point under the pointer stays there
        const {right, up} = this.axes(),
            size = this.pixel() * (this.flat ? 1 : this.reach);
        for (let k = 0; k < 3; k++) this.target[k] += size * (-dx * right[k] + dy * up[k]);
    }

    zoom(factor) {
        this.reach = Math.max(1e-9, this.reach / factor);
    }
}

// Mouse, touch and pen. `changed` is called after each change of the view.
export function handle(canvas, camera, changed) {
    const fingers = new Map();
    const middle = () => {
        const at = [...fingers.values()],
            n = at.length || 1;
        const x = at.reduce((s, p) => s + p.x, 0) / n,
            y = at.reduce((s, p) => s + p.y, 0) / n;
        return {x, y, spread: at.length > 1 ? Math.hypot(at[0].x - at[1].x, at[0].y - at[1].y) : 0};
    };
    let last = middle();
    const down = event => {
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        last = middle();
    };
    const up = event => {
        fingers.delete(event.pointerId);
        last = middle();
    };
    const move = event => {
        if (!fingers.has(event.pointerId)) return;
        fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        const now = middle(),
            height = canvas.clientHeight,
            dx = (now.x - last.x) / height,
            dy = (now.y - last.y) / height;
        const moves = camera().flat || fingers.size > 1 || event.shiftKey || (event.buttons & 6) !== 0;
        if (moves) camera().move(dx, dy);
        else camera().turn(3.2 * dx, 3.2 * dy);
        if (now.spread > 0 && last.spread > 0) camera().zoom(now.spread / last.spread);
        last = now;
        changed();
    };
    canvas.addEventListener('pointerdown', down);
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener(
        'wheel',
        event => {
            event.preventDefault();
            camera().zoom(
                Math.exp(-Math.max(-300, Math.min(300, event.deltaY * (event.deltaMode === 1 ? 16 : 1))) * 0.0012),
            );
            changed();
        },
        {passive: false},
    );
}
