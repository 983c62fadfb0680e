"""Spack package of carom; packaging/README.md says how to install from the checkout with it."""
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Carom(CMakePackage):
    """Event-driven contact dynamics: hard particles that collide, particles that stick on contact, and grains, rods, cloth
    and thin shells that rest on each other."""

    # The source distribution, made by `pip` or packaging/wheel, is in the current folder.
    manual_download = True
    url = "file://{0}/carom-0.1.0.tar.gz".format(os.getcwd())

    license("MIT")

    version("0.1.0")

    variant("cairo", default=True, description="Draw plots and pictures")
    variant("mpi", default=False, description="Share a run, or the runs of a sweep, by MPI")
    variant("openmp", default=True, description="Use several threads")
    variant("python", default=True, description="Install the Python package")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("random123", type="build")
    depends_on("hdf5~mpi")
    depends_on("jansson")
    depends_on("libyaml")
    depends_on("zlib-api")
    depends_on("cairo+fc+ft+pdf+png+svg", when="+cairo")
    depends_on("mpi", when="+mpi")
    extends("python@3.9:", when="+python")
    depends_on("py-numpy@1.19:", type=("build", "run"), when="+python")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("CMAKE_BUILD_TYPE", "RelWithDebInfo"),
            self.define("CAROM_TESTS", False),
            self.define_from_variant("CAROM_CAIRO", "cairo"),
            self.define_from_variant("CAROM_MPI", "mpi"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_OpenMP", not self.spec.satisfies("+openmp")),
        ]
        if self.spec.satisfies("+cairo"):
            # Spack sets no search path for libraries that are loaded at run time.
            args.append(self.define("CAROM_CAIRO_LIBRARY", join_path(self.spec["cairo"].libs.directories[0], "libcairo.so.2")))
        return args

    @run_after("install", when="+python")
    def install_python_package(self):
        install_tree(join_path(self.stage.source_path, "python", "carom"), join_path(python_purelib, "carom"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installation(self):
        with working_dir(self.build_directory):
            scene = join_path(self.stage.source_path, "examples", "newtons-cradle.yaml")
            Executable(self.prefix.bin.carom)("run", scene, "-o", "cradle.h5", "--force")

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.set("CAROM_LIBRARY", join_path(self.prefix.lib, "libcarom.so"))
