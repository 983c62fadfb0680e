"""The declarations of include/carom/carom.h for ctypes; its comments describe them.

Written by tools/python_declarations.py."""
# flake8: noqa
from __future__ import annotations

from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t,
                    c_uint16, c_uint32, c_uint64, c_void_p)

CAROM_OK = 0
CAROM_USAGE = 64
CAROM_BAD_DATA = 65
CAROM_NO_INPUT = 66
CAROM_INTERNAL = 70
CAROM_NO_CREATE = 73
CAROM_IO = 74
CAROM_EARLY = 75
CAROM_DYNAMICS = 76
CAROM_VIOLATION = 77

CAROM_STOP_NONE = 0
CAROM_STOP_TIME = 1
CAROM_STOP_EVENTS = 2
CAROM_STOP_COLLISIONS = 3
CAROM_STOP_CLUSTERS = 4
CAROM_STOP_PRESSURE = 5
CAROM_STOP_WALL_TIME = 6
CAROM_STOP_NO_EVENTS = 7
CAROM_STOP_NO_PROGRESS = 8
CAROM_STOP_COLLAPSE = 9
CAROM_STOP_SQUEEZED = 10
CAROM_STOP_STRETCHED = 11
CAROM_STOP_SIGNAL = 12
CAROM_STOP_REST = 13

CAROM_U8 = 0
CAROM_I32 = 1
CAROM_U32 = 2
CAROM_I64 = 3
CAROM_U64 = 4
CAROM_F64 = 5

CAROM_EVENT_COLLISION = 0
CAROM_EVENT_WALL = 1
CAROM_EVENT_MERGE = 2
CAROM_EVENT_STEP = 3
CAROM_EVENT_KICK = 4
CAROM_EVENT_SLEEP = 5
CAROM_EVENT_WAKE = 6

CAROM_BODY_PARTICLE = 0
CAROM_BODY_WALL = 1
CAROM_BODY_PLANE = 2
CAROM_BODY_SURFACE = 3
CAROM_BODY_TRIANGLE = 4
CAROM_BODY_ROD = 5
CAROM_BODY_NONE = 6

CAROM_THREADS_MOST = 1024
CAROM_THREADS_AUTOMATIC = -1
CAROM_CHANNEL_NUMBERS = 9
CAROM_VALUE_WIDTH = 9
CAROM_EVENT_KINDS = 7
CAROM_RENDER_SUITS = -1
CAROM_RENDER_LAST = -2
CAROM_RENDER_ALL = -3
CAROM_SHAPE_LAST = -1
CAROM_SHAPE_ALL = -2
CAROM_SHAPE_LARGEST = -3
CAROM_SHAPE_TOGETHER = -4


class carom_point_arrays(Structure):
    pass


class carom_mesh_arrays(Structure):
    pass


class carom_fault(Structure):
    pass


class carom_limits(Structure):
    pass


class carom_estimate(Structure):
    pass


class carom_step(Structure):
    pass


class carom_cost(Structure):
    pass


class carom_progress(Structure):
    pass


class carom_options(Structure):
    pass


class carom_potential(Structure):
    pass


class carom_energy(Structure):
    pass


class carom_channel(Structure):
    pass


class carom_value(Structure):
    pass


class carom_column(Structure):
    pass


class carom_table(Structure):
    pass


class carom_observable(Structure):
    pass


class carom_particles(Structure):
    pass


class carom_event(Structure):
    pass


class carom_record_options(Structure):
    pass


class carom_contents(Structure):
    pass


class carom_merge(Structure):
    pass


class carom_mesh(Structure):
    pass


class carom_links(Structure):
    pass


class carom_plot_options(Structure):
    pass


class carom_render_options(Structure):
    pass


class carom_statistics(Structure):
    pass


class carom_compare_options(Structure):
    pass


class carom_shape_options(Structure):
    pass


class carom_view_options(Structure):
    pass


class carom_page_options(Structure):
    pass


carom_progress_callback = CFUNCTYPE(None, POINTER(carom_progress), c_void_p)
carom_point_arrays._fields_ = [
    ("count", c_size_t),
    ("dimension", c_int),
    ("positions", POINTER(c_double)),
    ("velocities", POINTER(c_double)),
    ("radii", POINTER(c_double)),
    ("masses", POINTER(c_double)),
    ("angular_velocities", POINTER(c_double)),
    ("orientations", POINTER(c_double)),
    ("species", POINTER(c_uint32)),
    ("species_names", POINTER(c_char_p)),
    ("species_count", c_size_t),
]
carom_mesh_arrays._fields_ = [
    ("vertices", POINTER(c_double)),
    ("vertex_count", c_size_t),
    ("triangles", POINTER(c_uint32)),
    ("triangle_count", c_size_t),
]
carom_fault._fields_ = [
    ("file", c_char_p),
    ("line", c_uint32),
    ("column", c_uint32),
    ("key", c_char_p),
    ("message", c_char_p),
    ("hint", c_char_p),
]
carom_limits._fields_ = [
    ("time", c_double),
    ("events", c_uint64),
    ("collisions", c_uint64),
    ("wall_s", c_double),
]
carom_estimate._fields_ = [
    ("dimension", c_int),
    ("particles", c_uint64),
    ("vertices", c_uint64),
    ("packing_fraction", c_double),
    ("box", c_double * 3),
    ("memory_bytes", c_uint64),
    ("frame_bytes", c_uint64),
    ("frames", c_uint64),
]
carom_step._fields_ = [
    ("kind", c_char * 24),
    ("step", c_double),
    ("bound", c_double),
    ("elements", c_uint64),
    ("element", c_char * 200),
    ("particles", c_uint32 * 4),
    ("particle_count", c_int),
    ("position", c_double * 3),
    ("outliers", c_uint64),
    ("excess", c_double),
    ("warning", c_char * 400),
    ("source", c_char * 200),
]
carom_cost._fields_ = [
    ("events", c_double),
    ("wall_s", c_double),
    ("events_per_s", c_double),
    ("trial_time", c_double),
    ("trial_s", c_double),
    ("whole", c_bool),
    ("fails", c_bool),
]
carom_progress._fields_ = [
    ("time", c_double),
    ("until_time", c_double),
    ("collisions", c_uint64),
    ("until_collisions", c_uint64),
    ("events", c_uint64),
    ("until_events", c_uint64),
    ("merges", c_uint64),
    ("fraction", c_double),
    ("events_per_s", c_double),
    ("wall_s", c_double),
    ("left_s", c_double),
    ("phase", c_char_p),
    ("packing_fraction", c_double),
]
carom_options._fields_ = [
    ("output", c_char_p),
    ("force", c_bool),
    ("resume", c_bool),
    ("keep_checkpoint", c_bool),
    ("ranks", c_bool),
    ("threads", c_int),
    ("progress", carom_progress_callback),
    ("warning", CFUNCTYPE(None, c_char_p, c_void_p)),
    ("user", c_void_p),
]
carom_potential._fields_ = [
    ("step", c_double),
    ("particles", POINTER(c_size_t)),
    ("count", c_size_t),
    ("force", CFUNCTYPE(c_double, c_void_p, c_double, POINTER(c_double), POINTER(c_double))),
    ("user", c_void_p),
]
carom_energy._fields_ = [
    ("kinetic", c_double),
    ("potential", c_double),
    ("stored", c_double),
    ("total", c_double),
    ("dissipated", c_double),
    ("supplied", c_double),
    ("conserved", c_double),
    ("temperature", c_double),
    ("momentum", c_double * 3),
]
carom_channel._fields_ = [
    ("name", c_char_p),
    ("quantity", c_char_p),
    ("data", c_void_p),
    ("type", c_int),
    ("rank", c_int),
    ("shape", c_size_t * 3),
    ("numbers", c_double * CAROM_CHANNEL_NUMBERS),
    ("counts", c_uint64 * CAROM_CHANNEL_NUMBERS),
]
carom_value._fields_ = [
    ("name", c_char_p),
    ("unit", c_char_p),
    ("width", c_size_t),
    ("mean", c_double * CAROM_VALUE_WIDTH),
    ("error", c_double * CAROM_VALUE_WIDTH),
    ("converged", c_bool),
]
carom_column._fields_ = [
    ("name", c_char_p),
    ("unit", c_char_p),
    ("width", c_size_t),
    ("data", POINTER(c_double)),
]
carom_table._fields_ = [
    ("name", c_char_p),
    ("series", c_bool),
    ("first_row", c_uint64),
    ("rows", c_size_t),
    ("columns", POINTER(carom_column)),
    ("column_count", c_size_t),
]
carom_observable._fields_ = [
    ("name", c_char_p),
    ("what", c_char_p),
    ("values", POINTER(carom_value)),
    ("value_count", c_size_t),
    ("tables", POINTER(carom_table)),
    ("table_count", c_size_t),
]
carom_particles._fields_ = [
    ("count", c_size_t),
    ("species", c_char_p),
    ("positions", POINTER(c_double)),
    ("velocities", POINTER(c_double)),
    ("radii", POINTER(c_double)),
    ("spins", POINTER(c_double)),
]
carom_event._fields_ = [
    ("time", c_double),
    ("duration", c_double),
    ("normal", c_double * 3),
    ("impulse", c_double * 3),
    ("i", c_uint32),
    ("j", c_uint32),
    ("kind", c_uint32),
    ("i_type", c_uint16),
    ("j_type", c_uint16),
]
carom_record_options._fields_ = [
    ("kinds", c_uint32),
    ("particles", POINTER(c_size_t)),
    ("particle_count", c_size_t),
    ("species", POINTER(c_char_p)),
    ("species_count", c_size_t),
    ("events", CFUNCTYPE(None, POINTER(carom_event), c_size_t, c_void_p)),
    ("user", c_void_p),
    ("buffer", POINTER(carom_event)),
    ("capacity", c_size_t),
]
carom_contents._fields_ = [
    ("checkpoint", c_bool),
    ("being_written", c_bool),
    ("version", c_char_p),
    ("commit", c_char_p),
    ("engine", c_char_p),
    ("title", c_char_p),
    ("scene", c_char_p),
    ("summary", c_char_p),
    ("stop", c_char_p),
    ("state_hash", c_char_p),
    ("seed", c_uint64),
    ("threads", c_int),
    ("dimension", c_int),
    ("particles", c_uint64),
    ("vertices", c_uint64),
    ("frames", c_uint64),
    ("merges", c_uint64),
    ("bytes", c_uint64),
    ("observables", c_size_t),
    ("species", c_size_t),
    ("time", c_double),
]
carom_merge._fields_ = [
    ("time", c_double),
    ("i", c_uint32),
    ("j", c_uint32),
]
carom_mesh._fields_ = [
    ("name", c_char_p),
    ("repairs", c_char_p),
    ("first", c_size_t),
    ("vertices", c_size_t),
    ("triangles", POINTER(c_uint32)),
    ("triangle_count", c_size_t),
    ("rigid", c_bool),
]
carom_links._fields_ = [
    ("spring_i", POINTER(c_uint32)),
    ("spring_j", POINTER(c_uint32)),
    ("shortest", POINTER(c_double)),
    ("longest", POINTER(c_double)),
    ("springs", c_size_t),
    ("segment_i", POINTER(c_uint32)),
    ("segment_j", POINTER(c_uint32)),
    ("radius", POINTER(c_double)),
    ("segments", c_size_t),
    ("owner", POINTER(c_uint32)),
    ("meshes", POINTER(carom_mesh)),
    ("mesh_count", c_size_t),
]
carom_plot_options._fields_ = [
    ("what", POINTER(c_char_p)),
    ("what_count", c_size_t),
    ("log", c_char_p),
    ("dark", c_bool),
]
carom_render_options._fields_ = [
    ("frame", c_int64),
    ("width", c_int),
    ("height", c_int),
    ("colour", c_char_p),
    ("turned", c_bool),
    ("azimuth", c_double),
    ("elevation", c_double),
    ("zoom", c_double),
    ("rate", c_double),
    ("dark", c_bool),
    ("meshes", c_char_p),
    ("whole", c_bool),
    ("unshaded", c_bool),
]
carom_statistics._fields_ = [
    ("count", c_size_t),
    ("mean", c_double),
    ("deviation", c_double),
    ("error", c_double),
    ("least", c_double),
    ("quantile_05", c_double),
    ("quantile_25", c_double),
    ("median", c_double),
    ("quantile_75", c_double),
    ("quantile_95", c_double),
    ("greatest", c_double),
]
carom_compare_options._fields_ = [
    ("scene", c_char_p),
    ("text", c_char_p),
    ("length", c_size_t),
    ("engines", POINTER(c_char_p)),
    ("engine_count", c_size_t),
    ("sets", POINTER(c_char_p)),
    ("set_count", c_size_t),
    ("threads", c_int),
    ("progress", carom_progress_callback),
    ("warning", CFUNCTYPE(None, c_char_p, c_void_p)),
    ("user", c_void_p),
]
carom_shape_options._fields_ = [
    ("frame", c_int64),
    ("cluster", c_int64),
    ("min_size", c_uint64),
    ("gap", c_double),
]
carom_view_options._fields_ = [
    ("bind", c_char_p),
    ("port", c_int),
    ("framed", c_bool),
]
carom_page_options._fields_ = [
    ("frames", c_int),
    ("particles", c_int),
    ("megabytes", c_double),
]

# Name, type of the result, types of the parameters.
FUNCTIONS = [
    ("carom_version", c_char_p, []),
    ("carom_commit", c_char_p, []),
    ("carom_stop_name", c_char_p, [c_int]),
    ("carom_free", None, [c_void_p]),
    ("carom_scene_new", c_void_p, []),
    ("carom_scene_free", None, [c_void_p]),
    ("carom_scene_set", c_int, [c_void_p, c_char_p]),
    ("carom_scene_unset", c_int, [c_void_p, c_char_p]),
    ("carom_scene_allow_endless", c_int, [c_void_p]),
    ("carom_scene_set_folder", c_int, [c_void_p, c_char_p]),
    ("carom_scene_set_points", c_int, [c_void_p, c_char_p, POINTER(carom_point_arrays)]),
    ("carom_scene_set_mesh", c_int, [c_void_p, c_char_p, POINTER(carom_mesh_arrays)]),
    ("carom_scene_tree", c_int, [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(c_void_p)]),
    ("carom_scene_load", c_int, [c_void_p, c_char_p]),
    ("carom_scene_load_text", c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    ("carom_scene_message", c_char_p, [c_void_p]),
    ("carom_scene_fault_count", c_size_t, [c_void_p]),
    ("carom_scene_fault", POINTER(carom_fault), [c_void_p, c_size_t]),
    ("carom_scene_resolved", c_char_p, [c_void_p]),
    ("carom_scene_species", c_char_p, [c_void_p, c_size_t]),
    ("carom_scene_limits", c_int, [c_void_p, POINTER(carom_limits)]),
    ("carom_scene_reads", c_bool, [c_void_p, c_char_p]),
    ("carom_scene_check", c_int, [c_void_p, POINTER(carom_estimate)]),
    ("carom_scene_step", POINTER(carom_step), [c_void_p, c_size_t]),
    ("carom_scene_report", c_int, [c_void_p, POINTER(carom_cost), POINTER(c_void_p)]),
    ("carom_cores", c_int, []),
    ("carom_sim_new", c_int, [POINTER(c_void_p), c_void_p, POINTER(carom_options)]),
    ("carom_sim_free", None, [c_void_p]),
    ("carom_rank", c_int, []),
    ("carom_ranks", c_int, []),
    ("carom_ranks_end", None, [c_int, c_char_p]),
    ("carom_sim_add_potential", c_int, [c_void_p, POINTER(carom_potential)]),
    ("carom_sim_run", c_int, [c_void_p]),
    ("carom_sim_advance", c_int, [c_void_p, c_double]),
    ("carom_sim_run_to", c_int, [c_void_p, POINTER(carom_limits)]),
    ("carom_sim_pause_at", c_int, [c_void_p, POINTER(carom_limits), POINTER(carom_limits)]),
    ("carom_sim_finish", c_int, [c_void_p]),
    ("carom_sim_request_stop", None, [c_void_p]),
    ("carom_sim_request_checkpoint", None, [c_void_p]),
    ("carom_sim_message", c_char_p, [c_void_p]),
    ("carom_sim_fault_count", c_size_t, [c_void_p]),
    ("carom_sim_fault", POINTER(carom_fault), [c_void_p, c_size_t]),
    ("carom_sim_stop", c_int, [c_void_p]),
    ("carom_sim_summary", c_void_p, [c_void_p]),
    ("carom_sim_frame", c_void_p, [c_void_p]),
    ("carom_sim_time", c_double, [c_void_p]),
    ("carom_sim_events", c_uint64, [c_void_p, c_char_p]),
    ("carom_sim_take", c_int, [c_void_p, POINTER(c_void_p)]),
    ("carom_frame_free", None, [c_void_p]),
    ("carom_frame_dimension", c_int, [c_void_p]),
    ("carom_frame_count", c_size_t, [c_void_p]),
    ("carom_frame_particles", c_size_t, [c_void_p]),
    ("carom_frame_time", c_double, [c_void_p]),
    ("carom_frame_positions", POINTER(c_double), [c_void_p]),
    ("carom_frame_velocities", POINTER(c_double), [c_void_p]),
    ("carom_frame_radii", POINTER(c_double), [c_void_p]),
    ("carom_frame_boundary", c_char_p, [c_void_p, c_int]),
    ("carom_frame_state_hash", c_uint64, [c_void_p]),
    ("carom_frame_energy", c_int, [c_void_p, POINTER(carom_energy)]),
    ("carom_frame_channel_name", c_char_p, [c_void_p, c_size_t]),
    ("carom_frame_channel", c_int, [c_void_p, c_char_p, POINTER(carom_channel)]),
    ("carom_sim_observe", c_int, [c_void_p, c_char_p]),
    ("carom_sim_observable", POINTER(carom_observable), [c_void_p, c_size_t]),
    ("carom_sim_save", c_int, [c_void_p, c_char_p]),
    ("carom_scene_load_saved", c_int, [c_void_p, c_char_p]),
    ("carom_sim_load", c_int, [POINTER(c_void_p), c_void_p, c_char_p, POINTER(carom_options)]),
    ("carom_sim_set_velocities", c_int, [c_void_p, c_size_t, POINTER(c_uint32), POINTER(c_double)]),
    ("carom_sim_add_particles", c_int, [c_void_p, POINTER(carom_particles), POINTER(c_uint32)]),
    ("carom_sim_remove_particles", c_int, [c_void_p, c_size_t, POINTER(c_uint32)]),
    ("carom_sim_change", c_int, [c_void_p, c_char_p]),
    ("carom_sim_scene", c_char_p, [c_void_p]),
    ("carom_event_kind_name", c_char_p, [c_int]),
    ("carom_sim_record", c_int, [c_void_p, POINTER(carom_record_options), POINTER(c_void_p)]),
    ("carom_recording_free", None, [c_void_p]),
    ("carom_recording_count", c_size_t, [c_void_p]),
    ("carom_recording_total", c_uint64, [c_void_p]),
    ("carom_recording_clear", None, [c_void_p]),
    ("carom_file_open", c_int, [POINTER(c_void_p), c_char_p]),
    ("carom_file_free", None, [c_void_p]),
    ("carom_file_message", c_char_p, [c_void_p]),
    ("carom_file_info", c_int, [c_void_p, c_bool, POINTER(c_void_p)]),
    ("carom_file_refresh", c_int, [c_void_p]),
    ("carom_file_contents", c_int, [c_void_p, POINTER(carom_contents)]),
    ("carom_file_species", c_char_p, [c_void_p, c_size_t]),
    ("carom_file_frame", c_int, [c_void_p, c_uint64, POINTER(c_void_p)]),
    ("carom_file_numbers_name", c_char_p, [c_void_p, c_size_t]),
    ("carom_file_numbers", c_int, [c_void_p, c_char_p, c_uint64, c_uint64, POINTER(carom_channel)]),
    ("carom_file_observable", POINTER(carom_observable), [c_void_p, c_size_t, c_bool]),
    ("carom_file_merges", c_int, [c_void_p, POINTER(POINTER(carom_merge)), POINTER(c_size_t)]),
    ("carom_file_links", c_int, [c_void_p, POINTER(carom_links)]),
    ("carom_file_verify", c_int, [c_void_p, c_bool, POINTER(c_void_p)]),
    ("carom_file_follow", None, [c_void_p, carom_progress_callback, c_void_p]),
    ("carom_file_export", c_int, [c_void_p, c_char_p, c_char_p, c_bool]),
    ("carom_file_export_table", c_int, [c_void_p, c_char_p, c_char_p, c_bool]),
    ("carom_file_event_count", c_uint64, [c_void_p]),
    ("carom_file_events", c_int, [c_void_p, c_uint64, POINTER(carom_event), c_size_t]),
    ("carom_plot_new", c_int, [POINTER(c_void_p), POINTER(c_char_p), c_size_t, POINTER(carom_plot_options)]),
    ("carom_plot_free", None, [c_void_p]),
    ("carom_plot_message", c_char_p, [c_void_p]),
    ("carom_plot_write", c_int, [c_void_p, c_char_p, c_bool, POINTER(c_void_p)]),
    ("carom_file_render", c_int, [c_void_p, c_char_p, c_bool, POINTER(carom_render_options), POINTER(c_void_p)]),
    ("carom_sim_render", c_int, [c_void_p, c_void_p, c_char_p, c_bool, POINTER(carom_render_options), POINTER(c_void_p)]),
    ("carom_sweep_new", c_void_p, []),
    ("carom_sweep_free", None, [c_void_p]),
    ("carom_sweep_load", c_int, [c_void_p, c_char_p]),
    ("carom_sweep_message", c_char_p, [c_void_p]),
    ("carom_sweep_scene", c_char_p, [c_void_p]),
    ("carom_sweep_keeps_results", c_bool, [c_void_p]),
    ("carom_sweep_point_count", c_size_t, [c_void_p]),
    ("carom_sweep_seed_count", c_size_t, [c_void_p]),
    ("carom_sweep_seed", c_uint64, [c_void_p, c_size_t]),
    ("carom_sweep_parameter_count", c_size_t, [c_void_p]),
    ("carom_sweep_parameter", c_char_p, [c_void_p, c_size_t]),
    ("carom_sweep_value", c_char_p, [c_void_p, c_size_t, c_size_t]),
    ("carom_sweep_set", c_char_p, [c_void_p, c_size_t, c_size_t]),
    ("carom_sweep_inputs", c_uint64, [c_void_p, c_size_t]),
    ("carom_sweep_measure_count", c_size_t, [c_void_p]),
    ("carom_sweep_measure", c_char_p, [c_void_p, c_size_t]),
    ("carom_sweep_measures_chosen", c_bool, [c_void_p]),
    ("carom_sweep_record", c_char_p, [c_void_p]),
    ("carom_sweep_difference", c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    ("carom_statistics_of", carom_statistics, [POINTER(c_double), c_size_t]),
    ("carom_compare_new", c_int, [POINTER(c_void_p), POINTER(carom_compare_options)]),
    ("carom_compare_free", None, [c_void_p]),
    ("carom_compare_message", c_char_p, [c_void_p]),
    ("carom_compare_run", c_int, [c_void_p, c_size_t]),
    ("carom_compare_request_stop", None, [c_void_p]),
    ("carom_compare_summary", c_char_p, [c_void_p, c_size_t]),
    ("carom_compare_report", c_int, [c_void_p, c_bool, POINTER(c_void_p)]),
    ("carom_shape_new", c_int, [POINTER(c_void_p), POINTER(carom_shape_options)]),
    ("carom_shape_free", None, [c_void_p]),
    ("carom_shape_message", c_char_p, [c_void_p]),
    ("carom_shape_add", c_int, [c_void_p, c_char_p]),
    ("carom_shape_report", c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    ("carom_view_new", c_int, [POINTER(c_void_p), POINTER(carom_view_options)]),
    ("carom_view_free", None, [c_void_p]),
    ("carom_view_message", c_char_p, [c_void_p]),
    ("carom_view_url", c_char_p, [c_void_p]),
    ("carom_view_simulate", c_int, [c_void_p, c_void_p]),
    ("carom_view_run", c_int, [c_void_p, c_void_p, POINTER(carom_limits)]),
    ("carom_view_replay", c_int, [c_void_p, c_void_p]),
    ("carom_view_request_stop", None, [c_void_p]),
    ("carom_page_new", c_int, [POINTER(c_void_p), POINTER(carom_page_options)]),
    ("carom_page_free", None, [c_void_p]),
    ("carom_page_message", c_char_p, [c_void_p]),
    ("carom_page_record", c_int, [c_void_p, c_void_p]),
    ("carom_page_add_file", c_int, [c_void_p, c_void_p]),
    ("carom_page_frames", c_size_t, [c_void_p]),
    ("carom_page_recorded", c_size_t, [c_void_p]),
    ("carom_page_write", c_int, [c_void_p, c_char_p, c_bool]),
    ("carom_page_text", c_int, [c_void_p, POINTER(c_void_p)]),
    ("carom_help", c_int, [c_char_p, POINTER(c_void_p)]),
    ("carom_keys", c_int, [c_char_p, POINTER(c_void_p)]),
    ("carom_reference", c_int, [POINTER(c_void_p)]),
    ("carom_starter", c_int, [c_char_p, POINTER(c_void_p)]),
]
