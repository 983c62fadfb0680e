// GLSL. Spheres are squares that face the eye, and know what sphere they stand for: lighting and depth are exact enough.
const head = `#version 300 es
precision highp float;
uniform mat4 view, projection;
`;

const lightChunk = `
uniform vec3 fog; // the background's colour
uniform vec2 fogRange; // depth where it begins, and 1 / how far it takes
vec3 lit(vec3 colour, vec3 normal, float depth) {
  float key = 0.5 + 0.5 * dot(normal, normalize(vec3(-0.45, 0.7, 0.6)));
  float shade = 0.36 + 0.74 * key * key + 0.04 * normal.z;
  vec3 h = normalize(vec3(-0.45, 0.7, 1.6));
  float shine = pow(max(dot(normal, h), 0.0), 40.0);
  vec3 c = colour * shade + vec3(0.16 * shine);
  return mix(c, fog, clamp((depth - fogRange.x) * fogRange.y, 0.0, 0.62));
}
`;

const corner = `
vec2 corner() { return vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * 2.0 - 1.0; }
`;

export const ball = {
  vertex: head + corner + `
layout(location = 0) in vec3 at;
layout(location = 1) in float radius;
layout(location = 2) in vec4 tint;
uniform vec3 low, span;
out vec2 uv;
out vec3 centre;
out vec3 colour;
out float size;
void main() {
  uv = corner();
  centre = (view * vec4(low + span * at, 1.0)).xyz;
  size = radius;
  colour = tint.rgb;
  float d = length(centre.xy);
  vec3 p = centre;
  // Away from the middle of the picture a sphere's outline is an ellipse: the square leans toward the eye.
  vec3 dir = normalize(centre), right = normalize(cross(dir, vec3(0.0, 1.0, 0.0))), up = cross(right, dir);
  p += radius * 1.02 * (uv.x * right + uv.y * up);
  uv *= 1.02;
  gl_Position = projection * vec4(p, 1.0);
}`,
  fragment: head + lightChunk + `
in vec2 uv;
in vec3 centre;
in vec3 colour;
in float size;
out vec4 seen;
void main() {
  float r2 = dot(uv, uv);
  float edge = fwidth(r2);
  if (r2 > 1.0 + edge) discard;
  float z = sqrt(max(1.0 - r2, 0.0));
  float deep = centre.z + size * z;
  gl_FragDepth = 0.5 - 0.5 * (projection[2][2] * deep + projection[3][2]) / deep;
  vec3 normal = vec3(uv, z);
  seen = vec4(lit(colour * (0.72 + 0.28 * smoothstep(0.0, 0.55, z)), normal, -centre.z), clamp((1.0 - r2) / edge + 0.5, 0.0, 1.0));
}`,
};

export const disk = {
  vertex: head + corner + `
layout(location = 0) in vec2 at;
layout(location = 1) in float radius;
layout(location = 2) in vec4 tint;
uniform vec3 low, span;
uniform float pixel; // its size in the scene
out vec2 uv;
out vec3 colour;
void main() {
  float grown = 1.0 + pixel / max(radius, 1e-30);
  uv = corner() * grown;
  colour = tint.rgb;
  gl_Position = projection * view * vec4(low.xy + span.xy * at + radius * uv, 0.0, 1.0);
}`,
  fragment: head + `
in vec2 uv;
in vec3 colour;
out vec4 seen;
void main() {
  float r = length(uv), edge = max(fwidth(r), 1e-6);
  float rim = smoothstep(0.82 - edge, 0.82 + edge, r);
  seen = vec4(colour * (1.0 - 0.22 * rim), clamp((1.0 - r) / edge + 0.5, 0.0, 1.0));
}`,
};

export const shell = {
  vertex: head + `
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
  fragment: head + lightChunk + `
in vec3 colour;
in vec3 across;
in float depth;
out vec4 seen;
void main() {
  vec3 n = normalize(across);
  vec3 tone = gl_FrontFacing ? colour : mix(colour, vec3(dot(colour, vec3(0.3, 0.59, 0.11))), 0.25) * 0.82;
  seen = vec4(lit(tone, gl_FrontFacing ? n : -n, depth), 1.0);
}`,
};

export const rod = {
  vertex: head + `
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

export const bar = { // a rod in 2D
  vertex: head + corner + `
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
  vec2 axis = size > 0.0 ? way / size : vec2(1, 0), side = vec2(-axis.y, axis.x), c = corner();
  longer = 0.5 * size / radius;
  uv = vec2(c.x * (0.5 * size + r), c.y * r) / radius;
  colour = tint.rgb;
  gl_Position = projection * view * vec4(0.5 * (a.xy + b.xy) + radius * (uv.x * axis + uv.y * side), 0.0, 1.0);
}`,
  fragment: head + `
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
  vertex: head + `
layout(location = 0) in vec3 at;
uniform float nearer;
void main() {
  gl_Position = projection * view * vec4(at, 1.0);
  gl_Position.z -= nearer * gl_Position.w;
}`,
  fragment: head + `
uniform vec4 colour;
out vec4 seen;
void main() { seen = vec4(colour.rgb, colour.a); }`,
};
