// GLSL. Spheres are squares that face the camera and carry the data of their sphere; lighting and depth are exact
// within the precision of the shader.
const head = `#version 300 es
precision highp float;
uniform mat4 view, projection;
`;

const lightChunk = `
uniform vec3 fog; // colour of the background
uniform vec2 fogRange; // depth at which it begins, and 1 / its length
vec3 lit(vec3 colour, vec3 normal, float depth) {
  float key = 0.5 + 0.5 * dot(normal, normalize(vec3(-0.45, 0.7, 0.6)));
  float shade = 0.42 + 0.68 * key * key + 0.04 * normal.z;
  float shine = max(dot(normal, normalize(vec3(-0.45, 0.7, 1.6))), 0.0);
  shine *= shine, shine *= shine, shine *= shine, shine *= shine, shine *= shine;
  vec3 c = colour * shade + vec3(0.16 * shine);
  return mix(c, fog, clamp((depth - fogRange.x) * fogRange.y, 0.0, 0.62));
}
`;

const corner = `
vec2 corner(int k) { return vec2(k & 1, k >> 1 & 1) * 2.0 - 1.0; }
`;

// Two triangles per grain, from a texture: three times as fast as instances in software rendering.
export const TEXTURE_WIDTH = 1024;
const grain =
    corner +
    `
uniform sampler2D grains, tints; // position and radius; colour
void grain(out vec4 it, out vec3 tint, out vec2 at) {
  int n = gl_VertexID / 6, k = gl_VertexID - 6 * n;
  ivec2 place = ivec2(n % ${TEXTURE_WIDTH}, n / ${TEXTURE_WIDTH});
  it = texelFetch(grains, place, 0);
  tint = texelFetch(tints, place, 0).rgb;
  at = corner(k < 3 ? k : k - 2);
}
`;

// A square of the apparent size of the sphere; the ray of each of its pixels is intersected with the sphere.
export const ball = {
    vertex:
        head +
        grain +
        `
uniform float pixel, least; // size of a pixel at distance one; lower limit of the radius, in pixels
out vec3 ray;
out vec3 colour;
flat out vec4 it; // centre, and radius in the picture
flat out float thickness; // ratio of the radius of the sphere to that in the picture
void main() {
  vec4 at;
  vec2 uv;
  grain(at, colour, uv);
  vec3 centre = (view * vec4(at.xyz, 1.0)).xyz;
  float size = max(at.w, least * pixel * max(-centre.z, 0.0));
  it = vec4(centre, size);
  thickness = at.w / size;
  uv *= 1.0 + pixel * max(-centre.z, 0.0) / max(size, 1e-30);
  // Away from the centre of the picture, the outline of a sphere is an ellipse: the square faces the camera.
  vec3 way = normalize(centre), right = normalize(cross(way, vec3(0.0, 1.0, 0.0))), up = cross(right, way);
  // The outline is closer than the centre.
  float far = length(centre), larger = inversesqrt(max(1.0 - size * size / (far * far), 0.05));
  ray = centre + larger * size * (uv.x * right + uv.y * up);
  gl_Position = projection * vec4(ray, 1.0);
}`,
    fragment:
        head +
        lightChunk +
        `
in vec3 ray;
in vec3 colour;
flat in vec4 it;
flat in float thickness;
uniform float smoothness; // 1: pixels at the edge are partly covered
out vec4 seen;
void main() {
  vec3 way = normalize(ray);
  float near = dot(way, it.xyz);
  vec3 off = (near * way - it.xyz) / it.w; // the point of the ray nearest to the centre
  float r2 = dot(off, off), edge = fwidth(r2);
  if (r2 > 1.0 + 0.5 * edge * smoothness) discard;
  float rise = sqrt(max(1.0 - r2, 0.0)), deep = way.z * (near - it.w * thickness * rise);
  gl_FragDepth = 0.5 - 0.5 * (projection[2][2] * deep + projection[3][2]) / deep;
  vec3 tone = colour * (0.72 + 0.28 * smoothstep(0.0, 0.55, rise));
  seen = vec4(lit(tone, off - rise * way, -it.z), clamp((1.0 - r2) / edge + 0.5, 0.0, 1.0));
}`,
};

export const disk = {
    vertex:
        head +
        grain +
        `
uniform float pixel, least; // size of a pixel in the scene; lower limit of the radius, in pixels
out vec2 uv;
out vec3 colour;
void main() {
  vec4 it;
  grain(it, colour, uv);
  it.w = max(it.w, least * pixel);
  uv *= 1.0 + pixel / max(it.w, 1e-30);
  gl_Position = projection * view * vec4(it.xy + it.w * uv, 0.0, 1.0);
}`,
    fragment:
        head +
        `
in vec2 uv;
in vec3 colour;
out vec4 seen;
void main() {
  float r = length(uv), edge = max(fwidth(r), 1e-6);
  float rim = smoothstep(0.82 - edge, 0.82 + edge, r);
  seen = vec4(colour * (1.0 - 0.22 * rim), clamp((1.0 - r) / edge + 0.5, 0.0, 1.0));
}`,
};

// Ellipsoids of revolution, including spheres: squares of the size of the circumscribed spheres. The ray of each pixel
// is intersected with the ellipsoid in a space stretched along its axis, in which it is a sphere.
const lies =
    grain +
    `
uniform sampler2D axes; // unit vector along the axis; ratio of the width to the length
vec4 axis() {
  int n = gl_VertexID / 6;
  return texelFetch(axes, ivec2(n % ${TEXTURE_WIDTH}, n / ${TEXTURE_WIDTH}), 0);
}
`;

export const egg = {
    vertex:
        head +
        lies +
        `
uniform float pixel, least;
out vec3 ray;
out vec3 colour;
flat out vec3 centre;
flat out vec4 along; // the axis in the frame of the camera; width
flat out float across; // the semi-axis
void main() {
  vec4 it, u = axis();
  vec2 uv;
  grain(it, colour, uv);
  centre = (view * vec4(it.xyz, 1.0)).xyz;
  float size = max(it.w, least * pixel * max(-centre.z, 0.0));
  along = vec4(mat3(view) * u.xyz, u.w);
  across = size * min(u.w, 1.0);
  uv *= 1.0 + pixel * max(-centre.z, 0.0) / max(size, 1e-30);
  vec3 way = normalize(centre), right = normalize(cross(way, vec3(0.0, 1.0, 0.0))), up = cross(right, way);
  // The outline of a sphere is closer than its centre, hence larger.
  float far = length(centre), larger = inversesqrt(max(1.0 - size * size / (far * far), 0.05));
  ray = centre + larger * size * (uv.x * right + uv.y * up);
  gl_Position = projection * vec4(ray, 1.0);
}`,
    fragment:
        head +
        lightChunk +
        `
in vec3 ray;
in vec3 colour;
flat in vec3 centre;
flat in vec4 along;
flat in float across;
uniform float smoothness;
out vec4 seen;
vec3 stretched(vec3 x) { return x + (along.w - 1.0) * dot(x, along.xyz) * along.xyz; }
void main() {
  vec3 way = normalize(ray), d = stretched(way), c = stretched(centre);
  float dd = dot(d, d), near = dot(d, c) / dd;
  vec3 off = near * d - c; // the point of the ray nearest to the centre
  float r2 = dot(off, off) / (across * across), edge = fwidth(r2);
  if (r2 > 1.0 + 0.5 * edge * smoothness) discard;
  float deep = near - across * sqrt(max(1.0 - r2, 0.0) / dd);
  vec3 at = deep * way;
  gl_FragDepth = 0.5 - 0.5 * (projection[2][2] * at.z + projection[3][2]) / at.z;
  vec3 normal = normalize(stretched(stretched(at - centre)));
  vec3 tone = colour * (0.72 + 0.28 * smoothstep(0.0, 0.55, -dot(normal, way)));
  seen = vec4(lit(tone, normal, -centre.z), clamp((1.0 - r2) / edge + 0.5, 0.0, 1.0));
}`,
};

export const oval = {
    vertex:
        head +
        lies +
        `
uniform float pixel, least;
out vec2 uv;
out vec3 colour;
void main() {
  vec4 it, u = axis();
  grain(it, colour, uv);
  it.w = max(it.w, least * pixel);
  vec2 semi = it.w * vec2(min(1.0 / u.w, 1.0), min(u.w, 1.0));
  uv *= 1.0 + pixel / max(semi, 1e-30);
  vec2 place = semi * uv;
  gl_Position = projection * view * vec4(it.xy + place.x * u.xy + place.y * vec2(-u.y, u.x), 0.0, 1.0);
}`,
    fragment: disk.fragment,
};

export const shell = {
    vertex:
        head +
        `
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tint;
out vec3 colour;
out vec3 across;
out float depth;
void main() {
  vec4 p = view * vec4(at, 1.0);
  depth = -p.z;
  across = mat3(view) * normal;
  colour = tint.rgb;
  gl_Position = projection * p;
}`,
    fragment:
        head +
        lightChunk +
        `
in vec3 colour;
in vec3 across;
in float depth;
uniform float alpha;
out vec4 seen;
void main() {
  vec3 n = normalize(across);
  vec3 tone = gl_FrontFacing ? colour : mix(colour, vec3(dot(colour, vec3(0.3, 0.59, 0.11))), 0.25) * 0.82;
  seen = vec4(lit(tone, gl_FrontFacing ? n : -n, depth), alpha);
}`,
};

export const rod = {
    vertex:
        head +
        `
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in float radius;
layout(location = 3) in vec4 tint;
layout(location = 4) in vec3 unit; // of a cylinder: cosine, sine, which end
out vec3 colour;
out vec3 across;
out float depth;
void main() {
  vec3 axis = normalize(b - a), side = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0)));
  vec3 out_ = unit.x * side + unit.y * cross(axis, side);
  vec4 p = view * vec4(mix(a, b, unit.z) + radius * out_, 1.0);
  depth = -p.z;
  across = mat3(view) * out_;
  colour = tint.rgb;
  gl_Position = projection * p;
}`,
    fragment: shell.fragment,
};

export const bar = {
    // a rod in 2D
    vertex:
        head +
        corner +
        `
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in float radius;
layout(location = 3) in vec4 tint;
uniform float pixel;
out vec2 uv;
out vec3 colour;
out float longer;
void main() {
  vec2 way = b.xy - a.xy;
  float size = length(way), r = radius + pixel;
  vec2 axis = size > 0.0 ? way / size : vec2(1, 0), side = vec2(-axis.y, axis.x), c = corner(gl_VertexID);
  longer = 0.5 * size / radius;
  uv = vec2(c.x * (0.5 * size + r), c.y * r) / radius;
  colour = tint.rgb;
  gl_Position = projection * view * vec4(0.5 * (a.xy + b.xy) + radius * (uv.x * axis + uv.y * side), 0.0, 1.0);
}`,
    fragment:
        head +
        `
in vec2 uv;
in vec3 colour;
in float longer;
out vec4 seen;
void main() {
  float r = length(vec2(max(abs(uv.x) - longer, 0.0), uv.y)), edge = max(fwidth(r), 1e-6);
  float rim = smoothstep(0.82 - edge, 0.82 + edge, r);
  seen = vec4(colour * (1.0 - 0.22 * rim), clamp((1.0 - r) / edge + 0.5, 0.0, 1.0));
}`,
};

export const plain = {
    vertex:
        head +
        `
layout(location = 0) in vec3 at;
uniform float nearer; // fraction of the distance by which lines are drawn closer than their faces
void main() {
  vec4 p = view * vec4(at, 1.0);
  p.xyz *= 1.0 - nearer;
  gl_Position = projection * p;
}`,
    fragment:
        head +
        `
uniform vec4 colour;
out vec4 seen;
void main() { seen = vec4(colour.rgb, colour.a); }`,
};
