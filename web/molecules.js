// Molecules: particles connected by springs, bonds and segments.

// root: for each point, the first of its molecule; turn: points that are reached from another (`from`), in order.
export function findMolecules(points, {segments, springs}) {
    const joined = Array.from({length: points}, () => null),
        root = new Int32Array(points).fill(-1),
        from = new Int32Array(points).fill(-1),
        turn = [];
    const join = (a, b) => {
        (joined[a] ??= []).push(b);
        (joined[b] ??= []).push(a);
    };
    for (const {a, b} of segments) join(a, b);
    for (let s = 0; s < springs.length; s += 2) join(springs[s], springs[s + 1]);
    for (let start = 0; start < points; start++) {
        if (root[start] >= 0) continue;
        root[start] = start;
        for (const queue = [start]; queue.length > 0; ) {
            const i = queue.shift();
            for (const j of joined[i] ?? []) {
                if (root[j] >= 0) continue;
                root[j] = start;
                from[j] = i;
                turn.push(j);
                queue.push(j);
            }
        }
    }
    return {root, from, turn};
}
