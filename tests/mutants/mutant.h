/* Included before every source of the `mutants` build, and in no other: which mutation of tests/mutants/mutants.txt is on. */
#ifndef CAROM_MUTANT_H
#define CAROM_MUTANT_H

enum { MUTANTS_MOST = 1024 };
extern int carom_mutant; /* its number, from the environment variable CAROM_MUTANT; 0: none */
extern unsigned char
    *carom_reached; /* [MUTANTS_MOST] which have been asked for: in the file CAROM_REACHED where that is set */

static inline int mutant(int number)
{
    carom_reached[number] = 1;
    return carom_mutant == number;
}

#endif
