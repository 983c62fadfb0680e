/* Detects misread mesh files, and messages that differ from the exact text. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "base/memory.h"
#include "mesh/read.h"
#include "mesh/write.h"

/* A tetrahedron of corners 0 and the unit vectors, and its four faces. */
static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void parse_bytes(mesh *m, mesh_format format, const char *data, size_t length)
{
    error e = {0};
    ck_assert_msg(mesh_parse(m, format, "a.mesh", data, length, &e) == CAROM_OK, "%s", error_text(&e));
}

static void parse(mesh *m, mesh_format format, const char *text)
{
    parse_bytes(m, format, text, strlen(text));
}

static void refuse_bytes(mesh_format format, const char *data, size_t length, const char *message)
{
    error e = {0};
    mesh m;
    carom_status status = mesh_parse(&m, format, "a.mesh", data, length, &e);
    printf("%s\n", error_text(&e));
    ck_assert_int_eq(status, CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e), message);
    ck_assert(m.vertices == NULL && m.triangles == NULL);
    error_clear(&e);
}

static void refuse(mesh_format format, const char *text, const char *message)
{
    refuse_bytes(format, text, strlen(text), message);
}

static void expect_tetrahedron(mesh *m)
{
    ck_assert_uint_eq(m->vertex_count, 4);
    ck_assert_uint_eq(m->triangle_count, 4);
    ck_assert_mem_eq(m->vertices, corners, sizeof corners);
    ck_assert_mem_eq(m->triangles, faces, sizeof faces);
    EXPECT_CLOSE("volume", mesh_volume(m), 1.0 / 6, 1e-16);
    EXPECT_CLOSE("area", mesh_area(m), 1.5 + sqrt(0.75), 1e-15);
    mesh_free(m);
}

START_TEST(obj)
{
    mesh m;
    parse(&m, MESH_OBJ,
          "# a tetrahedron\r\nmtllib x.mtl\no first\nv 0 0 0\nv 1.0 0 0 0.5 0.5 0.5\nv 0 1e0 0 1\nv 0 0 1 # the last\n"
          "vn 0 0 1\nvt 0 0\ns off\nusemtl red\nf 1//1 3//1 2//1\nf 1/1 2/1 4/1\nf -4/1/1 -1 -2\n\nf 2 3 4");
    expect_tetrahedron(&m);
    parse(&m, MESH_OBJ, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 0.5 0\nf 1 2 3 4 5\n");
    ck_assert_uint_eq(m.triangle_count, 3);
    ck_assert_mem_eq(m.triangles[2], ((uint32_t[]){0, 3, 4}), 12);
    mesh_free(&m);
    parse(&m, MESH_OBJ, "v 0.1 0.30000000000000004 -1e-300\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    ck_assert(m.vertices[0][0] == 0.1 && m.vertices[0][1] == 0.30000000000000004 && m.vertices[0][2] == -1e-300);
    mesh_free(&m);
}
END_TEST

START_TEST(obj_messages)
{
    refuse(MESH_OBJ, "", "a.mesh: error: the file is empty");
    refuse(MESH_OBJ, "v 0 0 0\n", "a.mesh: error: the file holds no triangles");
    refuse(MESH_OBJ, "v 0 0\n", "a.mesh:1: error: the line ends where z should be");
    refuse(MESH_OBJ, "v 0 0,5 0\n", "a.mesh:1: error: y: '0,5' is no number");
    refuse(MESH_OBJ, "v 0 0 1e999\n", "a.mesh:1: error: z: '1e999' is too large");
    refuse(MESH_OBJ, "v nan 0 0\n", "a.mesh:1: error: x: 'nan' is no number");
    refuse(MESH_OBJ, "v 0 0 0\nf 1 2 3\n", "a.mesh:2: error: no vertex 2: there are 1 above this line");
    refuse(MESH_OBJ, "v 0 0 0\nf -2 1 1\n", "a.mesh:2: error: no vertex -2: there are 1 above this line");
    refuse(MESH_OBJ, "v 0 0 0\nf 0 1 1\n", "a.mesh:2: error: expected the number of a vertex, from 1, found '0'");
    refuse(MESH_OBJ, "v 0 0 0\nf /1 1 1\n", "a.mesh:2: error: expected the number of a vertex, from 1, found '/1'");
    refuse(MESH_OBJ, "v 0 0 0\nf 1 1\n", "a.mesh:2: error: a face of 2 vertices; a face needs at least three");
    refuse(MESH_OBJ, "v 0 0 \\\n0\n", "a.mesh:1: error: this line continues on the next ('\\'); join the two");
    refuse(MESH_OBJ, "curv 0 1\n",
           "a.mesh:1: error: unknown keyword 'curv'; only polygons can be read (v, f), no curves or surfaces");
}
END_TEST

#define FACET(a, b, c)                                                                                                 \
    "facet normal 0 0 nan\n outer loop\n vertex " a "\n vertex " b "\n vertex " c "\n endloop\nendfacet\n"

START_TEST(stl_text)
{
    mesh m;
    parse(&m, MESH_STL,
          "solid two words\n" FACET("0 0 0", "1 0 0", "0 1 0")
              FACET("-0 0 0", "0 1 0", "0 0 1e0") "endsolid two words\n");
    ck_assert_uint_eq(m.vertex_count, 4);
    ck_assert_mem_eq(m.triangles[1], ((uint32_t[]){0, 2, 3}), 12);
    mesh_free(&m);
    refuse(MESH_STL, "solid\n", "a.mesh:1: error: the file ends without 'endsolid'; is it complete?");
    refuse(MESH_STL, "solid\nendsolid\n", "a.mesh: error: the file holds no triangles");
    refuse(MESH_STL, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n", "a.mesh:4: error: z: 'x' is no number");
    refuse(MESH_STL, "solid\nfacet normal 0 0 1\nouter lop\n", "a.mesh:3: error: expected 'outer loop', found 'outer'");
    refuse(MESH_STL, "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 1\nvertex",
           "a.mesh:7: error: expected 'endloop', found 'vertex'");
    refuse(MESH_STL, "solid\nsolid\n", "a.mesh:2: error: expected 'facet or endsolid', found 'solid'");
    refuse(MESH_STL, "solid\nendsolid\nfacet\n", "a.mesh:3: error: expected 'solid', found 'facet'");
    refuse(MESH_STL, "hello", "a.mesh: error: not an STL file: it is too short, and does not begin with 'solid'");
}
END_TEST

static void put_float(char *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++) at[i] = (char)(unsigned char)(bits >> 8 * i);
}

START_TEST(stl_binary)
{
    enum { LENGTH = 84 + 4 * 50 };
    char data[LENGTH] = "solid, or so it says";
    mesh m;
    data[80] = 4;
    for (size_t t = 0; t < 4; t++)
        for (size_t k = 0; k < 9; k++)
            put_float(data + 84 + 50 * t + 12 + 4 * k, (float)(0.1 + corners[faces[t][k / 3]][k % 3]));
    parse_bytes(&m, MESH_STL, data, sizeof data);
    ck_assert_uint_eq(m.vertex_count, 4);
    ck_assert_uint_eq(m.triangle_count, 4);
    ck_assert(m.vertices[1][1] == (double)1.1f && m.vertices[1][0] == (double)0.1f); /* in the order of the file */
    EXPECT_CLOSE("volume", mesh_volume(&m), 1.0 / 6, 1e-7);
    mesh_free(&m);
    put_float(data + 84 + 50 + 12, (float)INFINITY);
    refuse_bytes(MESH_STL, data, sizeof data, "a.mesh: error: triangle 1 has a corner that is not finite");
    data[0] = 'x';
    refuse_bytes(MESH_STL, data, sizeof data - 1,
                 "a.mesh: error: the header of this binary STL announces 4 triangles, 284 bytes, but the file has 283");
}
END_TEST

#define PLY_HEAD                                                                                                       \
    "element vertex 4\nproperty double x\nproperty float64 y\nproperty double z\nproperty uchar red\n"                 \
    "element strange 2\nproperty list int8 short bits\nelement face 4\nproperty list uchar int vertex_indices\n"       \
    "property float quality\nend_header\n"

START_TEST(ply_text)
{
    mesh m;
    parse(&m, MESH_PLY,
          "ply\r\nformat ascii 1.0\r\ncomment any # thing\n" PLY_HEAD
          "0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1 9\n2 7 7\n0\n3 0 2 1 nan\n3 0 1 3 0\n3 0 3 2 0\n3 1 2 3 0\n");
    expect_tetrahedron(&m);
    parse(&m, MESH_PLY,
          "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 4\nproperty "
          "float x\n"
          "property float z\nproperty float y\nend_header\n4 0 1 2 3\n0 0 0\n1 0 0\n1 0.1 1\n0 0.1 1\n");
    ck_assert_uint_eq(m.triangle_count, 2);
    ck_assert(m.vertices[2][2] == 0.1 && m.vertices[2][1] == 1);
    mesh_free(&m);
}
END_TEST

static char *put(char *at, uint64_t bits, int size, bool big)
{
    for (int i = 0; i < size; i++) at[i] = (char)(unsigned char)(bits >> 8 * (big ? size - 1 - i : i));
    return at + size;
}

/* The body of PLY_HEAD. */
static size_t binary_ply(char *data, bool big)
{
    char *at = data + sprintf(data, "ply\nformat binary_%s_endian 1.0\n" PLY_HEAD, big ? "big" : "little");
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            uint64_t bits;
            memcpy(&bits, &corners[i][k], sizeof bits);
            at = put(at, bits, 8, big);
        }
        at = put(at, 255, 1, big);
    }
    at = put(put(put(at, 2, 1, big), 0xffff, 2, big), 0x0d0a, 2, big);
    at = put(at, 0, 1, big);
    for (int t = 0; t < 4; t++) {
        at = put(at, 3, 1, big);
        for (int k = 0; k < 3; k++) at = put(at, faces[t][k], 4, big);
        at = put(at, 0x7fc00000, 4, big); /* nan, which is not used */
    }
    return (size_t)(at - data);
}

START_TEST(ply_binary)
{
    char data[1024];
    mesh m;
    for (int big = 0; big < 2; big++) {
        size_t length = binary_ply(data, big != 0);
        parse_bytes(&m, MESH_PLY, data, length);
        expect_tetrahedron(&m);
        refuse_bytes(MESH_PLY, data, length - 1, "a.mesh: error: face 3: the file ends here; is it complete?");
        put(data + length - 8, 4, 4, big != 0);
        refuse_bytes(MESH_PLY, data, length, "a.mesh: error: face 3: refers to a vertex that does not exist");
        put(data + length - 8, 0xffffffff, 4, big != 0);
        refuse_bytes(MESH_PLY, data, length, "a.mesh: error: face 3: refers to a vertex that does not exist");
    }
}
END_TEST

#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define LIST "property list uchar int vertex_indices\n"

START_TEST(ply_messages)
{
    refuse(MESH_PLY, "plx\n", "a.mesh:1: error: not a PLY file: the first line is not 'ply'");
    refuse(MESH_PLY, "ply\nformat ascii 2.0\n", "a.mesh:2: error: version '2.0', expected 1.0");
    refuse(MESH_PLY, "ply\nformat binary 1.0\n", "a.mesh:2: error: unknown format 'binary'");
    refuse(MESH_PLY, "ply\nformat ascii 1.0\n", "a.mesh:2: error: the file ends without 'end_header'");
    refuse(MESH_PLY, "ply\nend_header\n", "a.mesh:2: error: the header has no line 'format'");
    refuse(MESH_PLY, "ply\nformat ascii 1.0\nend_header\n",
           "a.mesh: error: the header has 0 elements 'vertex', expected one");
    refuse(MESH_PLY, "ply\nproperty float x\n", "a.mesh:2: error: a property before the first element");
    refuse(MESH_PLY, "ply\nelement vertex 3\nproperty flout x\n", "a.mesh:3: error: unknown type 'flout'");
    refuse(MESH_PLY, "ply\nelement vertex 3\n" XYZ "property int x\n", "a.mesh:6: error: this property is given twice");
    refuse(MESH_PLY, "ply\nelement vertex -3\n", "a.mesh:2: error: expected the number of elements, found '-3'");
    refuse(MESH_PLY, "ply\nelement vertex 1e12\n",
           "a.mesh:2: error: the number of elements is 1e12, expected at most 4294967294");
    refuse(MESH_PLY, "ply\nelement tristrips 1\n",
           "a.mesh:2: error: strips of triangles cannot be read; save the mesh with faces");
    refuse(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n",
           "a.mesh: error: element vertex has no x, y and z");
    refuse(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "element face 1\nend_header\n",
           "a.mesh: error: element face has no list 'vertex_indices'");
    refuse(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0\n",
           "a.mesh:10: error: the line ends where z should be");
    refuse(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0 0 0\n",
           "a.mesh:10: error: '0' is unexpected at the end of this line");
    refuse(MESH_PLY,
           "ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n3 0 0 1\n",
           "a.mesh:11: error: refers to a vertex that does not exist");
    refuse(MESH_PLY,
           "ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n2 0 0\n",
           "a.mesh:11: error: a face needs at least three vertices");
    refuse(MESH_PLY, "ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n",
           "a.mesh:10: error: the file ends where an element should be; is it complete?");
}
END_TEST

START_TEST(off)
{
    mesh m;
    parse(&m, MESH_OFF,
          "OFF # a tetrahedron\n\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3 255 0 0\n3 0 3 2\n3 1 2 3\n");
    expect_tetrahedron(&m);
    parse(&m, MESH_OFF, "COFF 4 1 0\n0 0 0 1 1 1 1\n1 0 0 1 1 1 1\n1 1 0 1 1 1 1\n0 1 0 1 1 1 1\n4 0 1 2 3\n");
    ck_assert_uint_eq(m.triangle_count, 2);
    mesh_free(&m);
    refuse(MESH_OFF, "OF\n", "a.mesh:1: error: expected 'OFF' (or COFF, NOFF), found 'OF'");
    refuse(MESH_OFF, "OFF BINARY\n", "a.mesh:1: error: binary OFF cannot be read; save it as text, or as PLY");
    refuse(MESH_OFF, "OFF\n3\n", "a.mesh:2: error: the line ends where the number of faces should be");
    refuse(MESH_OFF, "OFF\n0 1 0\n", "a.mesh:2: error: no vertices");
    refuse(MESH_OFF, "OFF\n1 1 0\n0 0 0\n", "a.mesh:3: error: the file ends where a face should be; is it complete?");
    refuse(MESH_OFF, "OFF\n1 1 0\n0 0 0\n3 0 0 1\n",
           "a.mesh:4: error: the number of a vertex is 1, expected at most 0");
    refuse(MESH_OFF, "OFF\n1 1 0\n0 0 0\n2 0 0\n",
           "a.mesh:4: error: a face of 2 vertices; a face needs at least three");
    refuse(MESH_OFF, "OFF\n1 1 0\n0 0 0\n3 0 0 0\n5\n", "a.mesh:5: error: the file continues after its last face");
    refuse(MESH_OFF, "OFF\n1 1 0\n0 0 0\n4000000000 0 0 0\n",
           "a.mesh:4: error: the line ends where the number of a vertex should be");
}
END_TEST

#define FORMAT2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define FORMAT4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"

START_TEST(gmsh)
{
    mesh m;
    parse(&m, MESH_GMSH,
          FORMAT2 "$PhysicalNames\n1\n2 1 \"skin\"\n$EndPhysicalNames\n$Nodes\n4\n10 0 0 0\n7 1 0 0\n8 0 1 0\n99 0 0 "
                  "1\n$EndNodes\n"
                  "$Elements\n6\n1 15 2 0 1 10\n2 1 2 0 1 10 7\n3 2 2 0 1 10 8 7\n4 2 2 0 1 10 7 99\n5 2 0 10 99 8\n6 "
                  "2 1 3 7 8 99\n"
                  "$EndElements\n");
    expect_tetrahedron(&m);
    parse(
        &m, MESH_GMSH,
        FORMAT4
        "$Entities\n0 0 1 0\n$EndEntities\n$Nodes\n2 4 1 9\n0 1 0 1\n9\n0 0 0\n2 1 0 3\n1\n2\n3\n1 0 0\n0 1 0\n0 0 1\n"
        "$EndNodes\n$Elements\n2 5 1 5\n1 1 1 1\n1 9 1\n2 1 2 4\n2 9 2 1\n3 9 1 3\n4 9 3 2\n5 1 2 3\n$EndElements\n");
    expect_tetrahedron(&m);
}
END_TEST

START_TEST(gmsh_messages)
{
    refuse(MESH_GMSH, "$Nodes\n", "a.mesh:1: error: not a Gmsh file: it does not begin with '$MeshFormat'");
    refuse(MESH_GMSH, "$MeshFormat\n4 0 8\n",
           "a.mesh:2: error: version 4 of the format cannot be read; save it as 2.2 or 4.1 (gmsh -format msh41)");
    refuse(MESH_GMSH, "$MeshFormat\n4.1 1 8\n",
           "a.mesh:2: error: binary Gmsh files cannot be read; save it as text (Mesh.Binary = 0)");
    refuse(MESH_GMSH, FORMAT2, "a.mesh: error: the file holds no triangles");
    refuse(MESH_GMSH, FORMAT2 "$Elements\n0\n", "a.mesh:4: error: '$Elements' before '$Nodes'");
    refuse(MESH_GMSH, FORMAT2 "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n",
           "a.mesh:8: error: two nodes have the number 1");
    refuse(MESH_GMSH, FORMAT2 "$Nodes\n1\n1 0 0 0\n1 0 0 0\n", "a.mesh:7: error: expected '$EndNodes', found '1'");
    refuse(MESH_GMSH, FORMAT2 "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 2 0 1 1 2\n",
           "a.mesh:10: error: no node 2");
    refuse(MESH_GMSH, FORMAT2 "$Nodes\n0\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 1\n",
           "a.mesh:9: error: this mesh has volume elements; save its surface only (gmsh -2)");
    refuse(MESH_GMSH, FORMAT2 "$Nodes\n0\n$EndNodes\n$Elements\n1\n1 9 0 1\n",
           "a.mesh:9: error: elements of type 9 cannot be read, only triangles and quadrangles of first order (gmsh -2 "
           "-order 1)");
    refuse(MESH_GMSH, FORMAT4 "$Nodes\n1 1 1 1\n2 1 0 1\n1\n",
           "a.mesh:7: error: the file ends where a node should be; is it complete?");
    refuse(MESH_GMSH, FORMAT2 "$Fun\n1\n", "a.mesh:5: error: the section '$Fun' has no end; is the file complete?");
}
END_TEST

START_TEST(written_and_read)
{
    static const mesh_format formats[2] = {MESH_OBJ, MESH_PLY};
    mesh m, again;
    parse(&m, MESH_OBJ, "v 0.1 0.30000000000000004 -1e-300\nv 1e300 0 0\nv 0 5e-324 0\nv 3 3 3\nf 1 2 3\nf 4 2 1\n");
    for (int i = 0; i < 2; i++) {
        text_buffer text = {0};
        (formats[i] == MESH_OBJ ? mesh_write_obj : mesh_write_ply)(&text, &m);
        parse_bytes(&again, formats[i], text.data, text.length);
        ck_assert_uint_eq(again.vertex_count, m.vertex_count);
        ck_assert_mem_eq(again.vertices, m.vertices, m.vertex_count * sizeof *m.vertices);
        ck_assert_mem_eq(again.triangles, m.triangles, m.triangle_count * sizeof *m.triangles);
        mesh_free(&again);
        text_free(&text);
    }
    mesh_free(&m);
}
END_TEST

static void refuse_file(const char *path, carom_status wanted, const char *message)
{
    error e = {0};
    mesh m;
    ck_assert_int_eq(mesh_read(&m, path, &e), wanted);
    printf("%s\n", error_text(&e));
    ck_assert_str_eq(error_text(&e), message);
    error_clear(&e);
}

START_TEST(files)
{
    char folder[] = "/tmp/carom_mesh_XXXXXX";
    error e = {0};
    mesh m;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    FILE *file = fopen("a.OBJ", "w");
    ck_assert_ptr_nonnull(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
    fclose(file);
    ck_assert_int_eq(mesh_read(&m, "a.OBJ", &e), CAROM_OK);
    ck_assert_uint_eq(m.triangle_count, 1);
    mesh_free(&m);
    refuse_file("b.obj", CAROM_NO_INPUT, "b.obj: error: the mesh cannot be opened: No such file or directory");
    refuse_file("a", CAROM_BAD_DATA, "a: error: the name of a mesh file ends in .obj, .stl, .ply, .off or .msh (Gmsh)");
    ck_assert_int_eq(mkfifo("pipe.ply", 0600), 0);
    refuse_file("pipe.ply", CAROM_NO_INPUT, "pipe.ply: error: not a regular file");
    ck_assert_int_eq(remove("a.OBJ") + remove("pipe.ply") + remove(folder), 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("mesh_read");
    tcase_add_test(cases, obj);
    tcase_add_test(cases, obj_messages);
    tcase_add_test(cases, stl_text);
    tcase_add_test(cases, stl_binary);
    tcase_add_test(cases, ply_text);
    tcase_add_test(cases, ply_binary);
    tcase_add_test(cases, ply_messages);
    tcase_add_test(cases, off);
    tcase_add_test(cases, gmsh);
    tcase_add_test(cases, gmsh_messages);
    tcase_add_test(cases, written_and_read);
    tcase_add_test(cases, files);
    return suite_run("mesh_read", cases);
}
