#include "measure/species.h"

const char *const species_choices[] = {"NAME", NULL};

void species_begin(struct reader *r, void *filled)
{
    (void)r;
    ((species_settings *)filled)->species = NO_SPECIES;
}
