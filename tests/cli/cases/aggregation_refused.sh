# Detects settings of ballistic aggregation without effect or end that are accepted, and wrong merge counts of a run.
some_dust > dust.yaml
good() { "$CAROM" check dust.yaml "$@" > /dev/null; }
sees() { try check dust.yaml "$@"; }
# Nothing can collide without a sticking law.
sees --set run.until.collisions=3
sees --set output.frames.every_collisions=3
sees --set 'observe=[{what: energy, every_collisions: 3}]'
sees --set 'observe=[{what: collision_rate, every: 1}]'
sees --set 'contacts=[{between: [dust, dust], restitution: 0.5}]'
law='contacts=[{between: [dust, dust], restitution: 0.5, stick: {below: 0.1}}]'
expect 'with one it can' good --set "$law" --set run.until.collisions=3 --set 'observe=[{what: collision_rate, every: 1}]'
# Observables that the engine does not record, with a law or without.
for what in pressure wall_pressure stabilising impact_separation three_body; do
    sees --set "observe=[{what: $what, every: 1}]" --set "$law"
done
# Settings of one method only.
sees --set aggregation.method=steps --set aggregation.skin=0.5
sees --set aggregation.method=steps --set aggregation.reference=true
sees --set aggregation.method=steps --set aggregation.rotation=true
sees --set aggregation.method=steps --set "$law"
# Steps without progress.
for step in dt=1e-300 dt=1e-12 cfl=1e-300 cfl=1e-12 dt=2; do
    sees --set aggregation.method=steps --set "aggregation.steps.$step"
done
sees --set aggregation.method=steps --set 'box.size=[2e12, 20]'
# Units whose squares overflow, with both methods; and rotating clusters in a box that is too large for them.
for method in events steps; do
    sees --set aggregation.method=$method --set 'particles.0.velocity={circle: 1e151}'
    sees --set aggregation.method=$method --set 'particles.0.velocity={circle: 1e-151}'
    sees --set aggregation.method=$method --set 'box.size=[1e151, 1e151]'
    sees --set aggregation.method=$method --set species.dust.diameter=1e-151
    sees --set aggregation.method=$method --set species.dust.mass=1e151
    sees --set aggregation.method=$method --set species.dust.mass=1e-151
done
sees --set 'box.size=[2e7, 2e7]' --set aggregation.rotation=true
expect 'without rotation that is no fault' good --set 'box.size=[2e7, 2e7]'
# The summary and the progress line count events.
"$CAROM" run dust.yaml 2>&1 | grep -oE '^  merges +48 '
"$CAROM" run dust.yaml -o bounce.h5 --set "$law" 2>&1 | grep -oE '^  (merges|collisions) '
TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$CAROM" run dust.yaml -o seen.h5 < /dev/null |
    grep -oE 't = [0-9.]+, 48 merges' | sed 's/= .*,/= ...,/' | sort -u
# Means over a run with merges are refused; measurements at its end are permitted.
"$CAROM" run dust.yaml -o means.h5 --set 'observe=[{what: energy, every: 5}, {what: shape}]' 2>&1 |
    sed -n '/^measured/,$p' | awk '{ print $1 }'
# A disk that is full: the run was interrupted.
(
    trap '' XFSZ
    ulimit -f 60
    "$CAROM" run dust.yaml -o full.h5 --set output.frames.every=0.1 2>&1 | grep -oE '^(stopped by|interrupted) '
)
