/* The kernel is compiled once for each dimension (CAROM_DIM), number type (CAROM_REAL) and instruction set (CAROM_ISA);
 * its external names carry them, so that the copies live side by side. */
#ifndef CAROM_HARD_KERNEL_NAMES_H
#define CAROM_HARD_KERNEL_NAMES_H

#include "base/real.h"

#define KERNEL_JOIN3(name, dim, type) name##_##dim##d_##type
#define KERNEL_JOIN2(name, dim, type) KERNEL_JOIN3(name, dim, type)
#if CAROM_REAL == 0 && CAROM_ISA == 3
#define KERNEL_NAME(name) KERNEL_JOIN2(name, CAROM_DIM, double_avx2)
#elif CAROM_REAL == 0 && CAROM_ISA == 4
#define KERNEL_NAME(name) KERNEL_JOIN2(name, CAROM_DIM, double_avx512)
#elif CAROM_REAL == 0
#define KERNEL_NAME(name) KERNEL_JOIN2(name, CAROM_DIM, double)
#elif CAROM_REAL == 1
#define KERNEL_NAME(name) KERNEL_JOIN2(name, CAROM_DIM, long_double)
#elif CAROM_REAL == 2
#define KERNEL_NAME(name) KERNEL_JOIN2(name, CAROM_DIM, quad)
#else
#define KERNEL_NAME(name) KERNEL_JOIN2(name, CAROM_DIM, float)
#endif

#define hard_kernel_here KERNEL_NAME(hard_kernel)
#define gas_create KERNEL_NAME(gas_create)
#define gas_destroy KERNEL_NAME(gas_destroy)
#define gas_save KERNEL_NAME(gas_save)
#define gas_load KERNEL_NAME(gas_load)
#define gas_fill_frame KERNEL_NAME(gas_fill_frame)
#define gas_hash KERNEL_NAME(gas_hash)
#define gas_find_events KERNEL_NAME(gas_find_events)
#define gas_advance KERNEL_NAME(gas_advance)
#define gas_reset_clock KERNEL_NAME(gas_reset_clock)
#define gas_true_time KERNEL_NAME(gas_true_time)
#define gas_local_time KERNEL_NAME(gas_local_time)
#define detect_pair KERNEL_NAME(detect_pair)
#define predict KERNEL_NAME(predict)
#define detect_surface KERNEL_NAME(detect_surface)
#define detect_surfaces KERNEL_NAME(detect_surfaces)
#define remedy_pair KERNEL_NAME(remedy_pair)
#define remedy_surface KERNEL_NAME(remedy_surface)
#define detect_overlaps KERNEL_NAME(detect_overlaps)
#define collide_pair KERNEL_NAME(collide_pair)
#define collide_surface KERNEL_NAME(collide_surface)
#define rough_pair KERNEL_NAME(rough_pair)
#define rough_surface KERNEL_NAME(rough_surface)
#define rough_surfaces KERNEL_NAME(rough_surfaces)
#define restitution_of KERNEL_NAME(restitution_of)
#define lists_create KERNEL_NAME(lists_create)
#define lists_destroy KERNEL_NAME(lists_destroy)
#define lists_rebuild KERNEL_NAME(lists_rebuild)
#define lists_renew KERNEL_NAME(lists_renew)
#define lists_plan KERNEL_NAME(lists_plan)
#define largest_contact KERNEL_NAME(largest_contact)
#define span_of KERNEL_NAME(span_of)
#define plan_surfaces KERNEL_NAME(plan_surfaces)
#define cells_create KERNEL_NAME(cells_create)
#define cells_destroy KERNEL_NAME(cells_destroy)
#define cells_rebuild KERNEL_NAME(cells_rebuild)
#define cells_plan KERNEL_NAME(cells_plan)
#define cells_prefetch_bodies KERNEL_NAME(cells_prefetch_bodies)
#define cells_cross KERNEL_NAME(cells_cross)
#define schedule_planned KERNEL_NAME(schedule_planned)
#define lists_bytes KERNEL_NAME(lists_bytes)
#define schedule_all KERNEL_NAME(schedule_all)
#define schedule_one KERNEL_NAME(schedule_one)
#define schedule_first KERNEL_NAME(schedule_first)
#define schedule_create KERNEL_NAME(schedule_create)
#define schedule_destroy KERNEL_NAME(schedule_destroy)
#define reference_all KERNEL_NAME(reference_all)
#define reference_after KERNEL_NAME(reference_after)
#define reference_first KERNEL_NAME(reference_first)
#define remove_drift KERNEL_NAME(remove_drift)
#define rebase KERNEL_NAME(rebase)
#define rebase_due KERNEL_NAME(rebase_due)
#define order_bodies KERNEL_NAME(order_bodies)
#define collapse_watch KERNEL_NAME(collapse_watch)
#define collapse_report KERNEL_NAME(collapse_report)
#define sleep_after_contact KERNEL_NAME(sleep_after_contact)
#define touching_gap KERNEL_NAME(touching_gap)
#define sleep_refused KERNEL_NAME(sleep_refused)
#define is_under_way KERNEL_NAME(is_under_way)
#define sleep_now KERNEL_NAME(sleep_now)
#define sleep_wake KERNEL_NAME(sleep_wake)

#endif
