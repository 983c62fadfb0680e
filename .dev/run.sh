#!/bin/bash
# measured wall times and the model, on the device machine
D=$PWD/.dev; export LD_LIBRARY_PATH=$D/lib; C=$D/bin/carom
lscpu | grep "Model name"; nproc
one() { # N PHI K T
 timeout 100 $C run bench/fluid-3d.yaml --set particles.0.count=$1 --set box.packing_fraction=$2 --set run.until.collisions=$3 --threads $4 --quiet --force -o /tmp/x.h5 --json /tmp/x.json && python3 - $* <<'P'
import json,sys
d=json.load(open('/tmp/x.json')); n=d['events']['collision']
m=d.get('domains',{})
print('RUN',*sys.argv[1:],'hash',d['state_hash'],'wall',round(d['wall_s'],3),'kcoll/s',round(n/d['wall_s']/1e3,1),'setup',round(d['setup_s'],2),'cpu',round(d['cpu_s'],2),'rss',round(d['peak_rss_bytes']/int(sys.argv[1])), 'win',m.get('windows'),'rep',m.get('repeated'),'crit',round(m.get('critical_s',0),2),flush=True)
P
}
for t in 1 2 4 8 16; do one 1000188 0.49 8000000 $t; done
for t in 1 2 4 8 16; do one 1000188 0.1 4000000 $t; done
for t in 1 2 4 8; do one 97556 0.49 4000000 $t; done
for t in 1 2 8; do one 1000188 0.3 4000000 $t; done
mkdir -p $OUT
timeout 150 python3 bench/domains.py $D/bin --count 1000188 --fraction 0.49 --collisions 4000000 --domains 2,4,8,16,64 --csv $OUT/model-1e6.csv
timeout 250 python3 bench/domains.py $D/bin --count 10000000 --fraction 0.49 --collisions 8000000 --domains 64 --csv $OUT/model-1e7.csv
