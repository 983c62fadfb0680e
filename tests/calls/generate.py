"""Writes the calls of tests/calls, in C: for each public function of carom.h a function that calls it with arguments that
`pick_*` of world.c choose, and for each struct of the header one that makes it wrong field by field.

    generate.py carom.h calls.inc

A function, type or field that this script does not know ends the build: say here which values it takes."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from c_declarations import split_list, squeeze  # noqa: E402

# Types of parameters and fields: the function of world.c that chooses a value.
PICKS = {
    "const char *": "pick_text", "bool": "pick_bool", "int": "pick_int", "int64_t": "pick_int64",
    "uint64_t": "pick_uint64", "size_t": "pick_index", "double": "pick_double", "carom_stop": "pick_stop",
    "carom_scene *": "pick_scene", "const carom_scene *": "pick_scene", "carom_sim *": "pick_sim",
    "const carom_sim *": "pick_sim", "const carom_frame *": "pick_frame", "carom_frame *": "pick_own_frame", "carom_file *": "pick_file",
    "carom_page *": "pick_page", "const carom_page *": "pick_page",
    "const carom_file *": "pick_file", "carom_plot *": "pick_plot", "const carom_plot *": "pick_plot",
    "carom_sweep *": "pick_sweep", "const carom_sweep *": "pick_sweep", "carom_shape *": "pick_shape",
    "const carom_shape *": "pick_shape", "carom_view *": "pick_view", "const carom_view *": "pick_view",
    "carom_compare *": "pick_compare", "const carom_compare *": "pick_compare",
    "carom_progress_callback": "pick_progress", "const double *": "pick_doubles", "uint32_t *": "pick_ids_out",
    "uint32_t": "pick_uint32", "carom_event_kind": "pick_event_kind",
    "carom_recording *": "pick_recording", "const carom_recording *": "pick_recording",
    "void (*)(const carom_event *events, size_t count, void *user)": "pick_events_callback",
    "void (*)(const char *line, void *user)": "pick_warning",
    "double (*)(void *user, double time, const double *positions, double *forces)": "pick_force",
}
# Those whose meaning their name gives: (function or struct, parameter or field).
NAMED = {
    ("carom_free", "text"): "pick_own_text", ("carom_options", "user"): "pick_user",
    ("carom_sim_observe", "entry"): "pick_entry", ("carom_sim_change", "key_equals_value"): "pick_change",
    ("carom_potential", "user"): "pick_user", ("carom_file_follow", "user"): "pick_user",
    ("carom_compare_options", "user"): "pick_user",
    ("carom_record_options", "user"): "pick_user",
    ("carom_point_arrays", "count"): "pick_few", ("carom_point_arrays", "species"): "pick_indices",
    ("carom_mesh_arrays", "vertex_count"): "pick_few", ("carom_mesh_arrays", "triangle_count"): "pick_few",
    ("carom_mesh_arrays", "triangles"): "pick_indices",
}
# Arrays with their counts: (owner, array): the pick of both.
PAIRS = {
    ("carom_scene_load_text", "text", "length"): "pick_bytes", ("carom_scene_tree", "text", "length"): "pick_bytes",
    ("carom_point_arrays", "species_names", "species_count"): "pick_texts", ("carom_plot_new", "files", "count"): "pick_texts",
    ("carom_plot_options", "what", "what_count"): "pick_texts",
    ("carom_potential", "particles", "count"): "pick_particles",
    ("carom_compare_options", "text", "length"): "pick_bytes",
    ("carom_compare_options", "engines", "engine_count"): "pick_texts",
    ("carom_compare_options", "sets", "set_count"): "pick_texts",
    ("carom_statistics_of", "values", "count"): "pick_numbers",
    ("carom_sim_set_velocities", "ids", "count"): "pick_ids", ("carom_sim_remove_particles", "ids", "count"): "pick_ids",
    ("carom_particles", "positions", "count"): "pick_places",
    ("carom_record_options", "particles", "particle_count"): "pick_particles",
    ("carom_record_options", "species", "species_count"): "pick_texts",
    ("carom_record_options", "buffer", "capacity"): "pick_events",
    ("carom_file_events", "events", "count"): "pick_events",
}
# What a call puts somewhere: the function that takes it away again.
OUT = {"char **": ("char *", "carom_free"), "carom_sim **": ("carom_sim *", "carom_sim_free"),
       "carom_page **": ("carom_page *", "carom_page_free"),
       "carom_file **": ("carom_file *", "carom_file_free"), "carom_plot **": ("carom_plot *", "carom_plot_free"),
       "carom_shape **": ("carom_shape *", "carom_shape_free"), "carom_view **": ("carom_view *", "carom_view_free"),
       "carom_frame **": ("carom_frame *", "carom_frame_free"), "carom_energy *": ("carom_energy", None),
       "carom_channel *": ("carom_channel", None), "carom_limits *": ("carom_limits", None),
       "carom_compare **": ("carom_compare *", "carom_compare_free"), "carom_contents *": ("carom_contents", None),
       "carom_links *": ("carom_links", None), "const carom_merge **": ("const carom_merge *", None),
       "size_t *": ("size_t", None), "carom_estimate *": ("carom_estimate", None),
       "carom_recording **": ("carom_recording *", "carom_recording_free")}
# Objects without a message of their own.
MUTE = {"carom_frame **", "carom_recording **"}
# What comes back: the function that looks at it.
RESULTS = {"void": None, "carom_status": "see_status", "const char *": "see_text", "char *": "see_own_text",
           "bool": "see_bool", "int": "see_int", "int64_t": "see_int64", "uint64_t": "see_uint64",
           "size_t": "see_count", "double": "see_double", "carom_stop": "see_stop",
           "const double *": "see_numbers", "const carom_observable *": "see_observable",
           "const carom_frame *": "see_frame", "const carom_step *": "see_step", "const carom_fault *": "see_fault",
           "carom_scene *": "see_scene", "carom_sweep *": "see_sweep", "carom_statistics": "see_statistics"}


def fail(text):
    sys.exit("tests/calls/generate.py: " + text)


def split_name(declaration):
    """(type, name) of a parameter or field."""
    text = squeeze(declaration)
    pointer = re.fullmatch(r"(.+?)\(\s*\*\s*(\w+)\s*\)\s*(\(.*\))", text)
    if pointer:
        return squeeze(pointer[1]) + " (*)" + squeeze(pointer[3]), pointer[2]
    plain = re.fullmatch(r"(.*?[\s*])(\w+)", text)
    if not plain:
        fail("cannot read the declaration '%s'" % declaration)
    return squeeze(plain[1]), plain[2]


def read(header):
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    text = re.sub(r"^\s*#(?:\\\n|.)*$", "", text, flags=re.M)
    structs = {}
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\}\s*(\w+);", text, flags=re.S):
        fields = []
        for line in body.split(";"):
            if not line.strip() or "[" in line:
                continue
            first, *others = split_list(line)
            kind, field = split_name(first)
            fields.append((kind, field))
            fields += [(kind, other.strip()) for other in others]
        structs[name] = fields
    functions = []
    for declaration in re.findall(r"CAROM_API\s+([^;]+);", text):
        result, name, parameters = re.fullmatch(r"(.*?[\s*])(carom_\w+)\s*\((.*)\)", squeeze(declaration)).groups()
        functions.append((squeeze(result), name, [split_name(p) for p in split_list(parameters)]))
    declared = set(re.findall(r"\b(carom_\w+)\s*\(", text))
    missed = declared - {name for _, name, _ in functions}
    if missed or not functions:
        fail("no CAROM_API before %s" % ", ".join(sorted(missed)))
    return functions, structs


def pick_of(owner, kind, name):
    pick = NAMED.get((owner, name)) or PICKS.get(kind)
    if pick is None:
        fail("%s: which values does `%s` of type '%s' take? Add it to PICKS, NAMED, PAIRS or OUT" % (owner, name, kind))
    return pick


def pairs_of(owner):
    return {array: (count, pick) for (where, array, count), pick in PAIRS.items() if where == owner}


def write_struct(name, fields):
    pairs = pairs_of(name)
    counts = {count for count, _ in pairs.values()}
    cases = []
    for kind, field in fields:
        if field in counts:
            continue
        if field in pairs:
            cases.append("%s(c, &value->%s, &value->%s);" % (pairs[field][1], field, pairs[field][0]))
        else:
            cases.append("value->%s = %s(c);" % (field, pick_of(name, kind, field)))
    lines = ["static const %s *pick_%s(chooser *c, %s *value)" % (name, name, name), "{",
             "    *value = good_%s();" % name, "    switch (choose(c, %d)) {" % (len(cases) + 3)]
    for k, case in enumerate(cases):
        lines += ["    case %d:" % k, "        %s" % case, "        break;"]
    lines += ["    case %d:" % len(cases), "        return NULL;", "    case %d: /* all at once */" % (len(cases) + 1)]
    lines += ["        %s" % case for case in cases] + ["        break;", "    }", "    return value;", "}", ""]
    return lines


def write_call(result, name, parameters, structs):
    pairs = pairs_of(name)
    skip = {count for count, _ in pairs.values()}
    lines = ["static void call_%s(chooser *c)" % name, "{", "    c->calling = \"%s\";" % name]
    arguments, after = [], []
    for kind, parameter in parameters:
        value = "a_" + parameter
        if parameter in skip:
            arguments.append(value)
            continue
        struct = re.fullmatch(r"const (\w+) \*", kind)
        if parameter in pairs:
            count, pick = pairs[parameter]
            lines += ["    %s%s%s = NULL;" % (kind, "" if kind.endswith("*") else " ", value), "    size_t a_%s = 0;" % count,
                      "    %s(c, &%s, &a_%s);" % (pick, value, count)]
            arguments.append(value)
        elif kind in OUT:
            local, free = OUT[kind]
            empty = "NULL" if local.endswith("*") else "{0}"
            lines += ["    %s%s%s = %s;" % (local, "" if local.endswith("*") else " ", value, empty),
                      "    const bool with_%s = choose(c, 4) > 0;" % parameter]
            arguments.append("with_%s ? &%s : NULL" % (parameter, value))
            if free:
                after.append("%s(%s);" % (free, value))
        elif struct and struct[1] in structs:
            lines += ["    %s s_%s;" % (struct[1], parameter),
                      "    %s%s = pick_%s(c, &s_%s);" % (kind, value, struct[1], parameter)]
            arguments.append(value)
        else:
            declared = kind.replace("(*)", "(*%s)" % value) if "(*)" in kind else \
                kind + ("" if kind.endswith("*") else " ") + value
            lines.append("    %s = %s(c);" % (declared, pick_of(name, kind, parameter)))
            arguments.append(value)
    if result not in RESULTS:
        fail("%s: what can be seen of a result of type '%s'? Add it to RESULTS" % (name, result))
    call = "%s(%s)" % (name, ", ".join(arguments))
    see = RESULTS[result]
    lines.append("    call_begins(c);")
    free = re.fullmatch(r"carom_(\w+)_free", name)
    if see == "see_status":
        lines.append("    const carom_status status = %s;" % call)
        outs = {p: k for k, p in parameters if k in OUT and k != "char **" and k not in MUTE and OUT[k][1]}
        message = "NULL"
        for p, k in outs.items():
            message = "%s_message(a_%s)" % (OUT[k][0].rstrip(" *"), p) if message == "NULL" else message
            message = "with_%s && a_%s != NULL ? %s : NULL" % (p, p, message)
        if not outs and parameters and re.fullmatch(r"carom_\w+ \*", parameters[0][0]):
            owner = parameters[0][0].rstrip(" *")
            message = "a_%s != NULL ? %s_message(a_%s) : NULL" % (parameters[0][1], owner, parameters[0][1])
        lines.append("    see_status(c, status, %s);" % message)
    elif see:
        lines.append("    %s(c, %s);" % (see, call))
    else:
        lines.append("    %s;" % call)
    if free:
        lines.append("    if (a_%s != NULL) freed_%s();" % (parameters[0][1], free[1]))
    lines += ["    " + line for line in after] + ["    call_ends(c);", "}", ""]
    return lines


def main(header, target):
    with open(header, encoding="utf-8") as f:
        functions, structs = read(f.read())
    used = [re.fullmatch(r"const (\w+) \*", kind) for _, _, parameters in functions for kind, _ in parameters]
    used = {m[1] for m in used if m and m[1] in structs}
    lines = ["/* Written by tests/calls/generate.py from carom.h. */", ""]
    for name in (n for n in structs if n in used):
        lines += write_struct(name, structs[name])
    for result, name, parameters in functions:
        lines += write_call(result, name, parameters, structs)
    lines += ["static const call calls[] = {"]
    lines += ["    {\"%s\", call_%s}," % (name, name) for _, name, _ in functions] + ["};"]
    with open(target, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


main(*sys.argv[1:])
