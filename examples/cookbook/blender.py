"""Run inside Blender: the spheres and meshes of one frame of `carom export --to csv` and `--to obj`."""
import csv
import glob
import os

import bpy

FOLDER = os.path.expanduser("~")                # where the exports are
NAME = "spheres-on-cloth"
FRAME = -1

for path in sorted(glob.glob(os.path.join(FOLDER, NAME, "*.obj")))[FRAME:][:1]:
    bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z")
with open(os.path.join(FOLDER, NAME + ".csv"), newline="") as file:
    rows = list(csv.DictReader(file))
last = rows[-1]["time"]
for row in rows:
    if row["time"] == last:
        place = (float(row["x"]), float(row["y"]), float(row["z"]))
        bpy.ops.mesh.primitive_uv_sphere_add(radius=float(row["radius"]), location=place)
        bpy.ops.object.shade_smooth()
