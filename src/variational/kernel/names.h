/* The kernel is compiled for 2D and 3D; its external names say which. */
#ifndef CAROM_VARIATIONAL_NAMES_H
#define CAROM_VARIATIONAL_NAMES_H

#if CAROM_DIM == 2
#define HERE(name) name##_variational_2d
#define variational_kernel_here variational_kernel_2d
#else
#define HERE(name) name##_variational_3d
#define variational_kernel_here variational_kernel_3d
#endif

#define apply_kicks HERE(apply_kicks)
#define certify HERE(certify)
#define clock_add HERE(clock_add)
#define clock_of_layer HERE(clock_of_layer)
#define clock_start HERE(clock_start)
#define clock_fired HERE(clock_fired)
#define clocks_next HERE(clocks_next)
#define clocks_destroy HERE(clocks_destroy)
#define contact_reach HERE(contact_reach)
#define batch_add HERE(batch_add)
#define batch_tidy HERE(batch_tidy)
#define contact_begin HERE(contact_begin)
#define contact_end HERE(contact_end)
#define contact_deepen HERE(contact_deepen)
#define contact_doze HERE(contact_doze)
#define contacts_destroy HERE(contacts_destroy)
#define impact_over HERE(impact_over)
#define fire HERE(fire)
#define fire_material HERE(fire_material)
#define sight_of_nodes HERE(sight_of_nodes)
#define sight_of_surface HERE(sight_of_surface)
#define sight_wait HERE(sight_wait)
#define gap_at HERE(gap_at)
#define layers_energy HERE(layers_energy)
#define leash_all HERE(leash_all)
#define leash_slack HERE(leash_slack)
#define leash_settle HERE(leash_settle)
#define leash_due HERE(leash_due)
#define leash_check HERE(leash_check)
#define near_create HERE(near_create)
#define near_destroy HERE(near_destroy)
#define near_leave HERE(near_leave)
#define near_renew HERE(near_renew)
#define near_find HERE(near_find)
#define press_pair HERE(press_pair)
#define press_surface HERE(press_surface)
#define add_kick HERE(add_kick)
#define temper HERE(temper)
#define reference_create HERE(reference_create)
#define reference_destroy HERE(reference_destroy)
#define reference_step HERE(reference_step)
#define springs_create HERE(springs_create)
#define springs_fire HERE(springs_fire)
#define springs_energy HERE(springs_energy)
#define contacts_forget HERE(contacts_forget)
#define near_link HERE(near_link)
#define reference_adopt HERE(reference_adopt)
#define watch_begin HERE(watch_begin)
#define watch_end HERE(watch_end)
#define watch_adopt HERE(watch_adopt)
#define world_advance HERE(world_advance)
#define world_fill_frame HERE(world_fill_frame)
#define world_load HERE(world_load)
#define world_save HERE(world_save)
#define world_squeezed HERE(world_squeezed)

#endif
