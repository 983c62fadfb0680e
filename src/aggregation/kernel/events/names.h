/* The kernel is compiled for 2D and 3D, for clusters that turn (CAROM_ROTATING) and that do not; its external names say
 * which. */
#ifndef CAROM_AGGREGATION_EVENTS_NAMES_H
#define CAROM_AGGREGATION_EVENTS_NAMES_H

#if CAROM_ROTATING && CAROM_DIM == 2
#define EVENTS_NAME(name) name##_rotating_2d
#elif CAROM_ROTATING
#define EVENTS_NAME(name) name##_rotating_3d
#elif CAROM_DIM == 2
#define EVENTS_NAME(name) name##_events_2d
#else
#define EVENTS_NAME(name) name##_events_3d
#endif
#define aggregation_events_here EVENTS_NAME(aggregation)

#define swarm_advance EVENTS_NAME(swarm_advance)
#define swarm_fill_frame EVENTS_NAME(swarm_fill_frame)
#define swarm_load EVENTS_NAME(swarm_load)
#define swarm_save EVENTS_NAME(swarm_save)
#define swarm_stall_time EVENTS_NAME(swarm_stall_time)
#define touch_time EVENTS_NAME(touch_time)
#define touch_gap EVENTS_NAME(touch_gap)
#define touch_sight EVENTS_NAME(touch_sight)
#define position_at EVENTS_NAME(position_at)
#define particle_at EVENTS_NAME(particle_at)
#define spin_at EVENTS_NAME(spin_at)
#define anchored_at EVENTS_NAME(anchored_at)
#define anchor_here EVENTS_NAME(anchor_here)
#define skin_time EVENTS_NAME(skin_time)
#define fastest_speed EVENTS_NAME(fastest_speed)
#define bodies_create EVENTS_NAME(bodies_create)
#define bodies_destroy EVENTS_NAME(bodies_destroy)
#define bodies_memory EVENTS_NAME(bodies_memory)
#define body_distance EVENTS_NAME(body_distance)
#define body_energy EVENTS_NAME(body_energy)
#define body_turns EVENTS_NAME(body_turns)
#define body_yield EVENTS_NAME(body_yield)
#define body_push EVENTS_NAME(body_push)
#define pose_at EVENTS_NAME(pose_at)
#define pose_particle EVENTS_NAME(pose_particle)
#define attitude_axes EVENTS_NAME(attitude_axes)
#define attitude_reset EVENTS_NAME(attitude_reset)
#define attitude_at EVENTS_NAME(attitude_at)
#define attitude_apart EVENTS_NAME(attitude_apart)
#define attitude_create EVENTS_NAME(attitude_create)
#define attitude_destroy EVENTS_NAME(attitude_destroy)
#define inertia_of_particle EVENTS_NAME(inertia_of_particle)
#define inertia_add EVENTS_NAME(inertia_add)
#define inertia_settle EVENTS_NAME(inertia_settle)
#define inertia_answer EVENTS_NAME(inertia_answer)
#define hunt_prepare EVENTS_NAME(hunt_prepare)
#define hunt_down EVENTS_NAME(hunt_down)
#define hunt_safe EVENTS_NAME(hunt_safe)
#define hunt_met EVENTS_NAME(hunt_met)
#define merge_takes_up EVENTS_NAME(merge_takes_up)
#define touch_bound EVENTS_NAME(touch_bound)
#define wall_next EVENTS_NAME(wall_next)
#define wall_bounce EVENTS_NAME(wall_bounce)
#define merge_clusters EVENTS_NAME(merge_clusters)
#define members_walk EVENTS_NAME(members_walk)
#define members_create EVENTS_NAME(members_create)
#define members_destroy EVENTS_NAME(members_destroy)
#define members_take EVENTS_NAME(members_take)
#define members_rebuild EVENTS_NAME(members_rebuild)
#define alone_create EVENTS_NAME(alone_create)
#define alone_destroy EVENTS_NAME(alone_destroy)
#define alone_merged EVENTS_NAME(alone_merged)
#define alone_skin EVENTS_NAME(alone_skin)
#define alone_disturbed EVENTS_NAME(alone_disturbed)
#define bounce_sticks EVENTS_NAME(bounce_sticks)
#define bounce_clusters EVENTS_NAME(bounce_clusters)
#define bring_to_now EVENTS_NAME(bring_to_now)
#define set_velocity EVENTS_NAME(set_velocity)
#define grid_create EVENTS_NAME(grid_create)
#define grid_destroy EVENTS_NAME(grid_destroy)
#define grid_add EVENTS_NAME(grid_add)
#define grid_remove EVENTS_NAME(grid_remove)
#define grid_newly_around EVENTS_NAME(grid_newly_around)
#define grid_place EVENTS_NAME(grid_place)
#define grid_around EVENTS_NAME(grid_around)
#define plan_create EVENTS_NAME(plan_create)
#define plan_destroy EVENTS_NAME(plan_destroy)
#define plan_next EVENTS_NAME(plan_next)
#define plan_bounced EVENTS_NAME(plan_bounced)
#define plan_merge EVENTS_NAME(plan_merge)
#define reference_next EVENTS_NAME(reference_next)

#endif
