/* Time stepping is compiled once for each dimension (CAROM_DIM); its external names carry it. */
#ifndef CAROM_AGGREGATION_STEPS_NAMES_H
#define CAROM_AGGREGATION_STEPS_NAMES_H

#if CAROM_DIM == 2
#define STEPS_NAME(name) name##_2d
#else
#define STEPS_NAME(name) name##_3d
#endif

#define aggregation_steps_here STEPS_NAME(aggregation_steps)
#define problem_add_node STEPS_NAME(problem_add_node)
#define problem_add_bond STEPS_NAME(problem_add_bond)
#define problem_clear STEPS_NAME(problem_clear)
#define problem_free STEPS_NAME(problem_free)
#define problem_work STEPS_NAME(problem_work)
#define problem_solve STEPS_NAME(problem_solve)
#define solve_sor STEPS_NAME(solve_sor)
#define solve_newton STEPS_NAME(solve_newton)
#define solve_hurwicz STEPS_NAME(solve_hurwicz)
#define links_create STEPS_NAME(links_create)
#define links_add STEPS_NAME(links_add)
#define links_has STEPS_NAME(links_has)
#define bins_create STEPS_NAME(bins_create)
#define bins_destroy STEPS_NAME(bins_destroy)
#define bins_put STEPS_NAME(bins_put)
#define bins_level STEPS_NAME(bins_level)
#define bins_around STEPS_NAME(bins_around)
#define watch_create STEPS_NAME(watch_create)
#define watch_destroy STEPS_NAME(watch_destroy)
#define watch_restore STEPS_NAME(watch_restore)
#define watch_renew STEPS_NAME(watch_renew)
#define watch_moved STEPS_NAME(watch_moved)
#define watch_scan STEPS_NAME(watch_scan)
#define contacts_gather STEPS_NAME(contacts_gather)
#define flight_step STEPS_NAME(flight_step)
#define flight_extent STEPS_NAME(flight_extent)
#define resolve_contacts STEPS_NAME(resolve_contacts)
#define merge_contacts STEPS_NAME(merge_contacts)
#define steps_advance STEPS_NAME(steps_advance)
#define steps_save STEPS_NAME(steps_save)
#define steps_load STEPS_NAME(steps_load)
#define steps_hash STEPS_NAME(steps_hash)

#endif
