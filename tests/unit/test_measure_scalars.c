/* Detects wrong energies, rates and pressures, against numbers computed by other means. */
#include "../support/observe.h"
#include "../support/suite.h"

/* Velocities that are a flow and a gas: the flow is no heat, and the stress over its rate is the viscosity. */
START_TEST(a_flow_is_not_heat)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        enum { COUNT = 4000 };
        const double side = 9.0, rate = 0.7, volume = dimension == 3 ? side * side * side : side * side;
        carom_frame f = frame_of(dimension, COUNT, side);
        frame_gas(&f, 1.5, 4);
        for (size_t i = 0; i < COUNT; i++) {
            double *v = f.velocity + i * (size_t)dimension, y = f.position[i * (size_t)dimension + 1];
            v[0] += rate * (y - side / 2) - 0.2 * v[1];
        }
        f.shear = rate;
        frame_rescale(&f, 3);
        observer t = observer_new("temperature"), o = observer_new("shear_viscosity");
        observer_start(&t, &f);
        observer_start(&o, &f);
        f.time += 2;
        f.tallies.virial[0][1] = f.tallies.virial[1][0] = -100.0;
        f.tallies.supplied = 60.0;
        observer_sample(&t, &f);
        observer_sample(&o, &f);
        measure_result heat = observer_result(&t), r = observer_result(&o);
        const double wanted = 1.5 * (1 + 0.04 / dimension), stress = (-0.2 * 1.5 * COUNT - 100.0 / 2) / volume;
        EXPECT_CLOSE("temperature", result_value(&heat, "temperature").mean[0], wanted, 0.03 * wanted);
        EXPECT_CLOSE("stress", result_value(&r, "stress").mean[0], stress, 0.1 * fabs(stress));
        EXPECT_CLOSE("viscosity", result_value(&r, "shear_viscosity").mean[0],
                     -result_value(&r, "stress").mean[0] / rate, 2e-15);
        EXPECT_CLOSE("by work", result_value(&r, "by_work").mean[0], 60.0 / (2 * volume * rate * rate), 2e-15);
        observer_free(&t);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* What a bath brings and collisions take. */
START_TEST(power_is_energy_over_time)
{
    carom_frame f = frame_of(3, 5, 2.0);
    f.tallies.supplied = 7.0;
    observer o = observer_new("power");
    observer_start(&o, &f);
    f.time = 4.0;
    f.tallies.supplied = 9.0;
    f.tallies.dissipated = 3.0;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("supplied", result_value(&r, "supplied").mean[0], 0.5, 0);
    EXPECT_CLOSE("dissipated", result_value(&r, "dissipated").mean[0], 0.75, 0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(two_particles_have_their_energy_and_momentum)
{
    carom_frame f = frame_of(2, 2, 10.0);
    f.mass[1] = 3.0;
    f.velocity[0] = 1.0; /* (1, 0) and (-1, 2) */
    f.velocity[2] = -1.0;
    f.velocity[3] = 2.0;
    f.position[1] = 4.0;
    f.position[3] = 25.0; /* its height is 5, two boxes below */
    f.image[3] = -2;
    f.gravity[1] = -2.0;
    f.tallies.dissipated = 0.25;
    observer energy = observer_new("energy"), momentum = observer_new("momentum"), heat = observer_new("temperature");
    observer_start(&energy, &f);
    observer_start(&momentum, &f);
    observer_start(&heat, &f);
    observer_sample(&energy, &f);
    observer_sample(&momentum, &f);
    observer_sample(&heat, &f);
    measure_result r = observer_result(&energy);
    EXPECT_CLOSE("kinetic", result_value(&r, "kinetic").mean[0], 8.0, 0.0);
    EXPECT_CLOSE("potential", result_value(&r, "potential").mean[0], 2.0 * 4.0 + 6.0 * 5.0, 0.0);
    EXPECT_CLOSE("total", result_value(&r, "total").mean[0], 46.0, 0.0);
    EXPECT_CLOSE("dissipated", result_value(&r, "dissipated").mean[0], 0.25, 0.0);
    ck_assert(isnan(result_value(&r, "total").error[0]));
    r = observer_result(&momentum);
    ck_assert_uint_eq(r.values[0].width, 2);
    EXPECT_CLOSE("momentum x", r.values[0].mean[0], -2.0, 0.0);
    EXPECT_CLOSE("momentum y", r.values[0].mean[1], 6.0, 0.0);
    r = observer_result(&heat); /* reduced mass 3/4, relative velocity (2, -2): 3/4 * 8 / (2 * 1) */
    EXPECT_CLOSE("temperature", r.values[0].mean[0], 3.0, 1e-15);
    observer_free(&energy);
    observer_free(&momentum);
    observer_free(&heat);
    frame_destroy(&f);
}
END_TEST

START_TEST(maxwell_velocities_have_their_temperature)
{
    enum { COUNT = 50000 };
    carom_frame f = frame_of(3, COUNT, 50.0);
    for (size_t i = 0; i < COUNT; i++) f.mass[i] = 1.0 + (double)(i % 3);
    frame_gas(&f, 2.5, 11);
    for (size_t i = 0; i < COUNT; i++) f.velocity[3 * i] += 100.0; /* the gas as a whole flies: no heat */
    observer o = observer_new("temperature");
    observer_start(&o, &f);
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("temperature", r.values[0].mean[0], 2.5, 4.0 * 2.5 * sqrt(2.0 / (3.0 * COUNT)));
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Of each species by its formula; weighted by their degrees of freedom they add up to that of all, and few thermal particles
 * have their temperature in the mean. */
START_TEST(species_have_their_own_temperatures)
{
    enum { COUNT = 7, SEEDS = 20000 };
    const double mass[3] = {1, 5, 2};
    carom_frame f = frame_of(2, COUNT, 9);
    observer all = observer_new("temperature"), one[3];
    double mean[3] = {0}, freedom[3] = {0}, sum = 0;
    for (size_t i = 0; i < COUNT; i++) {
        f.species[i] = i < 1 ? 0 : i < 4 ? 1 : 2;
        f.mass[i] = mass[f.species[i]];
        sum += f.mass[i];
    }
    for (size_t i = 0; i < COUNT; i++) freedom[f.species[i]] += 1 - f.mass[i] / sum;
    observer_start(&all, &f);
    for (uint32_t k = 0; k < 3; k++) {
        one[k] = observer_new("temperature");
        observer_set_species(&one[k], "species", 1, &k);
        observer_start(&one[k], &f);
    }
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double total = 0;
        frame_gas(&f, 1.5, seed + 1);
        if (seed % 2) frame_rescale(&f, 5);
        observer_sample(&all, &f);
        for (int k = 0; k < 3; k++) observer_sample(&one[k], &f);
        if (seed % 2) frame_rescale(&f, -5);
        for (int k = 0; k < 3; k++) {
            measure_result r = observer_result(&one[k]);
            const double now = table_column(&r.tables[0], "temperature").data[seed];
            mean[k] += now / SEEDS;
            total += freedom[k] * now;
        }
        measure_result r = observer_result(&all);
        const double whole = table_column(&r.tables[0], "temperature").data[seed] * (COUNT - 1);
        if (!(fabs(total - whole) <= 1e-13 * whole)) ck_abort_msg("%.17g, not %.17g", total, whole);
    }
    for (int k = 0; k < 3; k++) { /* the mean square of a component of n - m_s / M degrees of freedom, at least */
        const double spread = 1.5 * sqrt(1 / freedom[k] / SEEDS);
        EXPECT_CLOSE("temperature", mean[k], 1.5, 3 * spread);
        observer_free(&one[k]);
    }
    observer_free(&all);
    frame_destroy(&f);
}
END_TEST

START_TEST(a_temperature_below_all_doubles_keeps_its_logarithm)
{
    carom_frame f = frame_of(3, 1000, 10.0);
    frame_gas(&f, 1.0, 5);
    observer o = observer_new("temperature");
    observer_start(&o, &f);
    observer_sample(&o, &f);
    f.scale = 3000;
    observer_sample(&o, &f);
    f.scale = 4000000;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    measure_table t = result_table(&r, "temperature");
    const double *value = table_column(&t, "temperature").data, *log_ = table_column(&t, "log10_temperature").data;
    EXPECT_CLOSE("log10", log_[0], log10(value[0]), 1e-15);
    ck_assert(value[1] == 0.0 && value[2] == 0.0);
    EXPECT_CLOSE("log10, scale 3000", log_[1], log_[0] - 6000.0 * log10(2.0), 2e-15);
    EXPECT_CLOSE("log10, scale 4e6", log_[2], log_[0] - 8e6 * log10(2.0), 1e-8);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(collisions_are_counted_per_particle_and_time)
{
    carom_frame f = frame_of(3, 10, 10.0);
    observer o = observer_new("collision_rate");
    f.time = 5.0;
    f.events[EVENT_COLLISION] = 1000;
    observer_start(&o, &f);
    observer_sample(&o, &f); /* no time has passed: no row */
    const double intervals[] = {1.0, 2.0, 1.0};
    const uint64_t collisions[] = {20, 50, 30};
    for (size_t i = 0; i < 3; i++) {
        f.time += intervals[i];
        f.events[EVENT_COLLISION] += collisions[i];
        observer_sample(&o, &f);
    }
    measure_result r = observer_result(&o);
    measure_table t = result_table(&r, "collision_rate");
    ck_assert_uint_eq(t.rows, 3);
    EXPECT_CLOSE("row 1", table_column(&t, "collision_rate").data[1], 2.0 * 25.0 / 10.0, 0.0);
    EXPECT_CLOSE("time 1", table_column(&t, "time").data[1], 8.0, 0.0);
    EXPECT_CLOSE("rate", result_value(&r, "collision_rate").mean[0], 2.0 * 100.0 / 4.0 / 10.0, 1e-15);
    EXPECT_CLOSE("total rate", result_value(&r, "total_rate").mean[0], 25.0, 1e-14);
    EXPECT_CLOSE("mean free time", result_value(&r, "mean_free_time").mean[0], 0.2, 1e-16);
    measure_value rate = result_value(&r, "collision_rate"), path = result_value(&r, "mean_free_time");
    ck_assert_double_gt(rate.error[0], 0.0);
    EXPECT_CLOSE("relative error", path.error[0] / path.mean[0], rate.error[0] / rate.mean[0], 1e-15);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* A gas whose collisions are made up: head-on along x at a known rate. */
START_TEST(pressure_is_kinetic_plus_virial)
{
    enum { COUNT = 20000, SAMPLES = 16 };
    carom_frame f = frame_of(3, COUNT, 20.0);
    f.box[1] = 30.0;
    observer o = observer_new("pressure");
    frame_gas(&f, 1.5, 3);
    observer_start(&o, &f);
    for (int i = 0; i < SAMPLES; i++) {
        f.time += 0.5;
        f.tallies.virial[0][0] += 900.0;
        f.tallies.virial[0][1] -= 3000.0;
        frame_gas(&f, 1.5, 100 + (uint64_t)i);
        observer_sample(&o, &f);
    }
    measure_result r = observer_result(&o);
    double volume = 20.0 * 30.0 * 20.0, ideal = COUNT * 1.5 / volume, sigma = ideal * sqrt(2.0 / 3.0 / COUNT / SAMPLES);
    measure_value tensor = result_value(&r, "tensor");
    ck_assert_uint_eq(tensor.width, 9);
    EXPECT_CLOSE("P_xx", tensor.mean[0], ideal + 1800.0 / volume, 8.0 * sigma);
    EXPECT_CLOSE("P_xy", tensor.mean[1], -6000.0 / volume, 8.0 * sigma);
    EXPECT_CLOSE("P_yx", tensor.mean[3], 0.0, 8.0 * sigma);
    EXPECT_CLOSE("P_zz", tensor.mean[8], ideal, 8.0 * sigma);
    EXPECT_CLOSE("P", result_value(&r, "pressure").mean[0], ideal + 600.0 / volume, 4.0 * sigma);
    EXPECT_CLOSE("trace / 3", (tensor.mean[0] + tensor.mean[4] + tensor.mean[8]) / 3.0,
                 result_value(&r, "pressure").mean[0], 1e-14);
    EXPECT_CLOSE("Z", result_value(&r, "compressibility").mean[0], 1.0 + 600.0 / (COUNT * 1.5), 4e-5); /* 1.3e-5 */
    printf("error %g, sigma %g\n", result_value(&r, "pressure").error[0], sigma);
    ck_assert_double_lt(fabs(log(result_value(&r, "pressure").error[0] / sigma)), log(2.0));
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(an_ideal_gas_has_z_one)
{
    carom_frame f = frame_of(2, 7, 3.0);
    observer o = observer_new("pressure");
    frame_gas(&f, 1.0, 8);
    observer_start(&o, &f);
    f.time = 1.0;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("Z", result_value(&r, "compressibility").mean[0], 1.0, 1e-15);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* 1e150^3 is beyond numbers, and a pressure over 1e306 below them. */
START_TEST(pressure_beyond_numbers_is_none)
{
    const double sides[] = {1e150, 1e102};
    for (size_t k = 0; k < 2; k++) {
        carom_frame f = frame_of(3, 7, sides[k]);
        for (size_t i = 0; i < 21; i++) f.velocity[i] = (double)(i % 4) * 1e-2;
        observer o = observer_new("pressure");
        observer_start(&o, &f);
        for (int n = 0; n < 20; n++) {
            f.time += 1;
            observer_sample(&o, &f);
        }
        measure_result r = observer_result(&o);
        const measure_value p = result_value(&r, "pressure");
        printf("side %g: %g +- %g\n", sides[k], p.mean[0], p.error[0]);
        ck_assert(isnan(p.mean[0]) && isnan(p.error[0]));
        ck_assert(!p.converged);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

START_TEST(pressure_needs_a_volume)
{
    carom_frame f = frame_of(2, 7, 3.0);
    observer o = observer_new("pressure"), wall = observer_new("wall_pressure");
    f.boundary[1] = BOUNDARY_OPEN;
    ck_assert(o.type->create(&o.self, o.settings, &f, &o.e) == CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&o.e),
                     "error: pressure needs a volume: make every boundary of the box periodic or wall");
    ck_assert(wall.type->create(&wall.self, wall.settings, &f, &wall.e) == CAROM_BAD_DATA);
    observer_free(&o);
    observer_free(&wall);
    frame_destroy(&f);
}
END_TEST

START_TEST(wall_pressure_is_force_per_area)
{
    carom_frame f = frame_of(3, 7, 2.0);
    f.box[2] = 5.0;
    f.boundary[2] = BOUNDARY_WALL;
    f.tallies.wall_impulse[2][0] = 7.0; /* before observation */
    observer o = observer_new("wall_pressure");
    observer_start(&o, &f);
    f.time = 4.0;
    f.tallies.wall_impulse[2][0] += 16.0;
    f.tallies.wall_impulse[2][1] += 48.0;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("low z", result_value(&r, "faces").mean[4], 1.0, 0.0);
    EXPECT_CLOSE("high z", result_value(&r, "faces").mean[5], 3.0, 0.0);
    EXPECT_CLOSE("mean", result_value(&r, "wall_pressure").mean[0], 2.0, 0.0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Counts of Poisson-distributed happenings: the error is the square root of their number. */
START_TEST(rare_happenings_have_their_counting_error)
{
    carom_frame f = frame_of(3, 7, 2.0);
    observer o = observer_new("three_body"), s = observer_new("stabilising");
    f.tallies.three_body_again = 5;
    observer_start(&o, &f);
    observer_start(&s, &f);
    uint64_t seen = 0;
    for (uint64_t i = 0; i < 4000; i++) {
        f.events[EVENT_COLLISION] += 1000;
        f.tallies.stabilising += 500;
        if (random_uniform((random_key){4, RANDOM_GENERAL}, i, 0) < 0.02) f.tallies.three_body_again++, seen++;
        observer_sample(&o, &f);
        observer_sample(&s, &f);
    }
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("count", result_value(&r, "again").mean[0], (double)seen, 0.0);
    measure_value fraction = result_value(&r, "again_fraction"), none = result_value(&r, "double_fraction");
    EXPECT_CLOSE("fraction", fraction.mean[0], (double)seen / 4e6, 1e-20);
    EXPECT_CLOSE("error ratio", fraction.error[0] / (sqrt((double)seen) / 4e6), 1.0,
                 3.2e-5); /* 1.05e-5: the share of those seen, halved */
    ck_assert(none.mean[0] == 0.0);
    EXPECT_CLOSE("error of none", none.error[0], 1.0 / 4e6, 1e-13);
    r = observer_result(&s);
    EXPECT_CLOSE("stabilising", r.values[0].mean[0], 0.5, 1e-15);
    observer_free(&o);
    observer_free(&s);
    frame_destroy(&f);
}
END_TEST

START_TEST(impacts_are_binned_by_floating_point_number)
{
    carom_frame f = frame_of(3, 7, 2.0);
    uint64_t *impact = NEW_ARRAY(IMPACT_BINS, uint64_t);
    double *density = NEW_ARRAY(IMPACT_BINS, double);
    f.tallies.impact = impact;
    f.tallies.impact_density = density;
    impact[3] = 9; /* before observation: not counted */
    impact[IMPACT_HALF] = 1;
    observer o = observer_new("impact_separation");
    observer_start(&o, &f);
    impact[IMPACT_HALF - 2] += 30;
    impact[IMPACT_HALF] += 10;
    impact[IMPACT_HALF + 1] += 60;
    density[IMPACT_HALF - 2] += 30 / 0.5;
    density[IMPACT_HALF] += 10 / 0.75;
    density[IMPACT_HALF + 1] += 60;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    measure_table t = result_table(&r, "impact_separation");
    ck_assert_uint_eq(t.rows, 4);
    const double *x = table_column(&t, "separation").data, *n = table_column(&t, "impacts").data;
    ck_assert(x[0] == -2.0 && x[3] == 1.0 && n[0] == 30.0 && n[1] == 0.0 && n[2] == 10.0 && n[3] == 60.0);
    const double *by_width = table_column(&t, "density").data;
    EXPECT_CLOSE("density below contact", by_width[0], 0.6, 1e-15);
    EXPECT_CLOSE("density at contact", by_width[2], 0.1 / 0.75, 1e-15);
    EXPECT_CLOSE("density above contact", by_width[3], 0.6, 1e-15);
    EXPECT_CLOSE("overlapping", r.values[0].mean[0], 0.3, 1e-16);
    EXPECT_CLOSE("its error", r.values[0].error[0], sqrt(0.3 * 0.7 / 100.0), 1e-16);
    f.tallies.impact = NULL;
    ck_assert(o.type->sample(o.self, &f, &o.e) == CAROM_BAD_DATA);
    observer_free(&o);
    memory_free(impact);
    memory_free(density);
    frame_destroy(&f);
}
END_TEST

/* Two particles on a spring; a piston has done work 5 on them, of which friction took 1.5 and the steps lost 0.25. */
START_TEST(the_ledger_adds_up)
{
    carom_frame f = frame_of(2, 2, 10.0);
    observer o = observer_new("ledger"), energy = observer_new("energy");
    ck_assert(o.type->create(&o.self, o.settings, &f, &o.e) == CAROM_BAD_DATA); /* an engine without one */
    f.tallies.ledger = (frame_ledger){.kept = true, .springs = 3.0, .restitution = 2.0, .work = 1.0, .rotation = true};
    f.velocity[0] = 2.0;
    observer_start(&o, &f);
    observer_start(&energy, &f);
    observer_sample(&o, &f);
    f.time = 1.0;
    f.velocity[0] = 4.0; /* 8, and it was 2 */
    f.tallies.ledger = (frame_ledger){.kept = true, .springs = 0.5, .restitution = 2.0, .friction = 1.5, .work = 6.0};
    f.tallies.ledger.contact = 3.0 + 6.0 - 1.0 - 8.0 + 2.0 - 1.5 - 0.25 - 0.5;
    f.tallies.ledger.rotation = true;
    f.tallies.ledger.sliding = 1.0;
    f.tallies.ledger.rolling = 0.5; /* parts of friction: not in the balance */
    observer_sample(&o, &f);
    observer_sample(&energy, &f);
    measure_result r = observer_result(&o);
    measure_table t = result_table(&r, "ledger");
    EXPECT_CLOSE("drift at first", table_column(&t, "drift").data[0], 0.0, 0.0);
    EXPECT_CLOSE("drift", table_column(&t, "drift").data[1], -0.25, 0.0);
    EXPECT_CLOSE("total", table_column(&t, "total").data[1], 8.0 + 0.5 + f.tallies.ledger.contact, 0.0);
    EXPECT_CLOSE("friction", table_column(&t, "friction").data[1], 1.5, 0.0);
    EXPECT_CLOSE("its part", table_column(&t, "rolling").data[1], 0.5, 0.0);
    EXPECT_CLOSE("work", table_column(&t, "work").data[1], 6.0, 0.0);
    r = observer_result(&energy);
    EXPECT_CLOSE("energy", result_value(&r, "total").mean[0], 8.0 + 0.5 + f.tallies.ledger.contact, 0.0);
    observer_free(&o);
    observer_free(&energy);
    frame_destroy(&f);
}
END_TEST

/* Two that fly apart and turn, in 3D and, along z, in 2D; and in a frame without spins. */
START_TEST(spins_have_a_temperature)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        carom_frame f = frame_of(dimension, 2, 10.0), still = f;
        observer o = observer_new("rotational_temperature");
        still.spin = NULL;
        ck_assert(o.type->create(&o.self, o.settings, &still, &o.e) == CAROM_BAD_DATA);
        f.velocity[0] = 1.5;
        f.velocity[dimension] = -1.5; /* T = 2 1.5^2 / D */
        f.inertia[1] = 0.25;
        f.spin[2] = 3.0;
        f.spin[5] = -2.0; /* I w^2 = 9 + 1 */
        observer_start(&o, &f);
        observer_sample(&o, &f);
        measure_result r = observer_result(&o);
        const double wanted = dimension == 3 ? 10.0 / 6 : 5.0;
        EXPECT_CLOSE("T_rot", result_value(&r, "rotational_temperature").mean[0], wanted, 1e-15);
        EXPECT_CLOSE("T_rot / T_tr", result_value(&r, "ratio").mean[0], wanted * dimension / 4.5, 1e-14);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

START_TEST(layers_are_counted_from_where_observation_began)
{
    carom_frame f = frame_of(2, 2, 10.0);
    uint64_t reached[LAYER_BINS] = {[0] = 100, [7] = 5};
    observer o = observer_new("layers");
    ck_assert(o.type->create(&o.self, o.settings, &f, &o.e) == CAROM_BAD_DATA);
    f.tallies.layers = reached;
    observer_start(&o, &f);
    reached[0] += 3;
    reached[2] += 1;
    f.tallies.closest = 0.25;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    measure_table t = result_table(&r, "layers");
    ck_assert_uint_eq(t.rows, 3);
    const double *layer = table_column(&t, "layer").data, *impacts_in = table_column(&t, "impacts").data;
    ck_assert(layer[0] == 1.0 && layer[2] == 3.0 && impacts_in[0] == 3.0 && impacts_in[1] == 0.0 &&
              impacts_in[2] == 1.0);
    EXPECT_CLOSE("mean depth", r.values[0].mean[0], 1.5, 0.0);
    EXPECT_CLOSE("its error", r.values[0].error[0], 0.5, 1e-15); /* deviation 1, of 4 impacts */
    EXPECT_CLOSE("closest", result_value(&r, "closest").mean[0], 0.25, 0.0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(drained_rows_are_gone_and_counted)
{
    carom_frame f = frame_of(3, 7, 2.0);
    observer o = observer_new("energy");
    observer_start(&o, &f);
    for (int i = 0; i < 100; i++) {
        f.time = i;
        f.velocity[0] = i;
        observer_sample(&o, &f);
        if (i == 59) o.type->drain(o.self);
    }
    measure_result r = observer_result(&o);
    measure_table t = result_table(&r, "energy");
    ck_assert(t.series && t.first_row == 60 && t.rows == 40);
    ck_assert(table_column(&t, "time").data[0] == 60.0);
    EXPECT_CLOSE("mean over all", result_value(&r, "kinetic").mean[0], 0.5 * 99.0 * 199.0 / 6.0, 1e-10);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("scalar observables");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, a_flow_is_not_heat);
    tcase_add_test(all, power_is_energy_over_time);
    tcase_add_test(all, two_particles_have_their_energy_and_momentum);
    tcase_add_test(all, maxwell_velocities_have_their_temperature);
    tcase_add_test(all, species_have_their_own_temperatures);
    tcase_add_test(all, a_temperature_below_all_doubles_keeps_its_logarithm);
    tcase_add_test(all, collisions_are_counted_per_particle_and_time);
    tcase_add_test(all, pressure_is_kinetic_plus_virial);
    tcase_add_test(all, an_ideal_gas_has_z_one);
    tcase_add_test(all, pressure_beyond_numbers_is_none);
    tcase_add_test(all, pressure_needs_a_volume);
    tcase_add_test(all, wall_pressure_is_force_per_area);
    tcase_add_test(all, rare_happenings_have_their_counting_error);
    tcase_add_test(all, impacts_are_binned_by_floating_point_number);
    tcase_add_test(all, the_ledger_adds_up);
    tcase_add_test(all, spins_have_a_temperature);
    tcase_add_test(all, layers_are_counted_from_where_observation_began);
    tcase_add_test(all, drained_rows_are_gone_and_counted);
    return suite_run("scalar observables", all);
}
