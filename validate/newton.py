"""Equilibria of the shells of docs/shells.md, plates by Young's modulus, by Newton's method: the energy of triangles and of moments at edges, without
inertia, steps and contacts. For meshes on which a run of carom would take hours; that both agree is measured on a coarse one."""
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

DIFFERENCE, SHIFT = 1e-5, np.array([0.3, 0.7, 0.1])


def bend(x):
    """Angles at edges 0-1 of triangles 0 1 2 and 1 0 3, and their gradients."""
    edge, left, right = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0], x[:, 3] - x[:, 1]
    n, m = np.cross(edge, left), np.cross(-edge, right)
    square, nn, mm = ((v * v).sum(1) for v in (edge, n, m))
    length = np.sqrt(square)
    angle = np.arctan2((np.cross(n, m) * edge).sum(1), (n * m).sum(1) * length)
    foot, other = (left * edge).sum(1) / square, 1 + (right * edge).sum(1) / square
    u, v = (length / nn)[:, None] * n, (length / mm)[:, None] * m
    return angle, np.stack([(1 - foot)[:, None] * u + (1 - other)[:, None] * v, foot[:, None] * u + other[:, None] * v, -u, -v], 1)


class Shell:
    def __init__(self, start, triangles, young, thick, poisson, held, level):
        """`held`: pairs of vertex and coordinate that stay; `level`: vertices whose heights stay equal. Both only keep the shell from moving as a whole."""
        self.at, self.poisson, self.count = np.array(triangles), poisson, len(start)
        self.stretch = young * thick / (1 - poisson ** 2)
        self.free = np.setdiff1d(np.arange(3 * self.count), [3 * v + k for v, k in held])
        self.tie = [3 * v + 2 for v in level]
        x, y, z = (start[self.at[:, k]] for k in range(3))
        side, beside = y - x, z - x
        twice, length = np.linalg.norm(np.cross(side, beside), axis=1), np.linalg.norm(side, axis=1)
        p, r = 1 / length, length / twice
        q = -(side * beside).sum(1) / (length * twice)
        self.area = twice / 2
        self.rates = np.stack([-p, p, 0 * p], 1), np.stack([-q - r, q, r], 1)  # of both columns of the deformation gradient with the corners
        rows = self.join()
        self.comply([y - x, z - y, x - z], twice, rows, 12 * (1 - poisson ** 2) / (young * thick ** 3))
        self.rest = bend(start[self.edges])[0]
        middle = (start[self.edges[:, 0]] + start[self.edges[:, 1]]) / 2
        self.points = np.concatenate([np.repeat(start, 3, 0)[self.free], middle])
        self.order = None

    def join(self):
        """The edges between two triangles; for each triangle the rows of its edges, -1 at the border."""
        seen, edges, rows = {}, [], -np.ones((len(self.at), 3), int)
        for t, corners in enumerate(self.at):
            for k in range(3):
                a, b, c = (int(corners[(k + j) % 3]) for j in range(3))
                if (b, a) in seen:
                    other, place, tip = seen[b, a]
                    rows[t, k] = rows[other, place] = len(edges)
                    edges.append((b, a, tip, c))
                seen[a, b] = t, k, c
        self.edges = np.array(edges)
        self.slots = (3 * self.edges[:, :, None] + np.arange(3)).reshape(-1, 12)
        return rows

    def comply(self, sides, twice, rows, softness):
        """Angles by moments: the compliances of all triangles."""
        def by(a, b):
            return (a * b).sum(1)
        long, nu, parts = [np.sqrt(by(s, s)) for s in sides], self.poisson, []
        for i in range(3):
            for j in range(3):
                a, b, c, d = sides[(i + 1) % 3], sides[(i + 2) % 3], sides[(j + 1) % 3], sides[(j + 2) % 3]
                squares = (by(a, c) * by(b, d) + by(a, d) * by(b, c)) / 2
                value = softness / (2 * twice ** 3 * (1 - nu ** 2)) * long[i] * long[j] * ((1 + nu) * squares - nu * by(a, b) * by(c, d))
                inside = (rows[:, i] >= 0) & (rows[:, j] >= 0)
                parts.append((value[inside], rows[inside, i], rows[inside, j]))
        value, i, j = (np.concatenate(part) for part in zip(*parts))
        self.compliance = sparse.csc_matrix((value, (i, j)), shape=(len(self.edges),) * 2)
        self.factors = splu(self.compliance)

    def spread(self, values, slots):
        size = slots.shape[1]
        return sparse.csr_matrix((values.ravel(), (np.repeat(slots, size, 1).ravel(), np.tile(slots, (1, size)).ravel())), shape=(3 * self.count,) * 2)

    def pull(self, x):
        """Gradient and second derivatives of the stretching energy."""
        (b1, b2), nu, k = self.rates, self.poisson, self.stretch * self.area
        f1, f2 = (np.einsum("ti,tik->tk", b, x[self.at]) for b in (b1, b2))
        e1, e2, shear = ((f1 * f1).sum(1) - 1) / 2, ((f2 * f2).sum(1) - 1) / 2, (f1 * f2).sum(1)
        s1, s2, s12 = k * (e1 + nu * e2), k * (e2 + nu * e1), k * (1 - nu) / 2 * shear

        def times(a, b):
            return (a[:, :, None] * b[:, None, :]).reshape(len(a), -1)
        d1, d2, d12 = times(b1, f1), times(b2, f2), times(b1, f2) + times(b2, f1)
        gradient = s1[:, None] * d1 + s2[:, None] * d2 + s12[:, None] * d12
        slots = (3 * self.at[:, :, None] + np.arange(3)).reshape(-1, 9)
        total = np.zeros(3 * self.count)
        np.add.at(total, slots.ravel(), gradient.ravel())
        material = times(d1, d1) + times(d2, d2) + nu * (times(d1, d2) + times(d2, d1)) + (1 - nu) / 2 * times(d12, d12)
        stress = s1[:, None] * times(b1, b1) + s2[:, None] * times(b2, b2) + s12[:, None] * (times(b1, b2) + times(b2, b1))
        along = np.einsum("tij,kl->tikjl", stress.reshape(-1, 3, 3), np.eye(3)).reshape(len(k), 81)
        return total, self.spread(k[:, None] * material + along, slots)

    def step(self, x, force):
        """Newton's step for the displacements, with the moments as further unknowns."""
        gradient, matrix = self.pull(x)
        i, j = self.tie
        gradient[i] += 1e3 * (x.ravel()[i] - x.ravel()[j])
        gradient[j] -= 1e3 * (x.ravel()[i] - x.ravel()[j])
        matrix = matrix + sparse.csr_matrix((1e3 * np.array([1, 1, -1, -1]), ([i, j, i, j], [i, j, j, i])), shape=matrix.shape)
        corners, edges = x[self.edges], len(self.edges)
        angle, slope = bend(corners)
        turned = sparse.csr_matrix((slope.ravel(), (np.repeat(np.arange(edges), 12), self.slots.ravel())), shape=(edges, 3 * self.count))
        moment = self.factors.solve((angle - self.rest + np.pi) % (2 * np.pi) - np.pi)
        second, size = np.zeros((edges, 12, 12)), DIFFERENCE * np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
        for k in range(12):
            ahead, behind = corners.copy(), corners.copy()
            ahead[:, k // 3, k % 3] += size
            behind[:, k // 3, k % 3] -= size
            second[:, :, k] = (bend(ahead)[1] - bend(behind)[1]).reshape(edges, 12) / (2 * size)[:, None]
        matrix = matrix + self.spread((second + second.transpose(0, 2, 1)) / 2 * moment[:, None, None], self.slots)
        free = self.free
        whole = sparse.bmat([[matrix[free][:, free], turned[:, free].T], [turned[:, free], -self.compliance]]).tocsr()
        found = np.zeros(3 * self.count)
        found[free] = self.solve(whole, np.concatenate([(force - gradient - turned.T @ moment)[free], np.zeros(edges)]))[:len(free)]
        return found.reshape(-1, 3)

    def solve(self, matrix, right):
        if self.order is None:
            self.order = dissect(self.points + 1e-3 * SHIFT * self.points[:, [1, 2, 0]], matrix)
        way = self.order
        factors = splu(matrix[way][:, way].tocsc(), permc_spec="NATURAL", options={"SymmetricMode": True}, diag_pivot_thresh=0.0)
        found = np.empty_like(right)
        found[way] = factors.solve(right[way])
        return found

    def settle(self, x, force):
        """The equilibrium under forces, from a state close to it; no step of a vertex is longer than 1."""
        for _ in range(60):
            step = self.step(x, force)
            x = x + step / max(1, abs(step).max())
            if abs(step).max() < 1e-6:
                return x
        raise RuntimeError("no equilibrium found")


def dissect(points, matrix):
    """Nested dissection by coordinates: separators last. Moments come before displacements, whose diagonal may vanish."""
    begin, near, side = matrix.indptr, matrix.indices, np.zeros(len(points), np.int8)

    def order(ids):
        if len(ids) <= 120:
            return [np.sort(ids)[::-1]]
        place, best = points[ids], None
        for axis in np.argsort(place.min(0) - place.max(0))[:2]:
            low = place[:, axis] <= np.median(place[:, axis])
            left, right = ids[low], ids[~low]
            side[right] = 1
            cut = np.array([side[near[begin[i]:begin[i + 1]]].any() for i in left])
            side[right] = 0
            if best is None or cut.sum() < len(best[2]):
                best = left[~cut], right, left[cut]
        return order(best[0]) + order(best[1]) + [np.sort(best[2])[::-1]]
    return np.concatenate(order(np.arange(len(points))))
