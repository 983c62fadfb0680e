// Ambient occlusion: concave regions receive less light. The scene is drawn into textures, whose
// depths determine the obstacles near a pixel.
const SAMPLES = 20;

export const shade = {
    vertex: `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`,
    fragment: `#version 300 es
precision highp float;
uniform highp sampler2D colours, depths;
uniform mat4 projection;
uniform float reach; // a length: largest distance at which bodies shade
uniform float height; // of the picture, pixels
out vec4 seen;
float raw(ivec2 at) { return texelFetch(depths, at, 0).r; } // linear in pixels for a plane
float deep(float raw) { return projection[3][2] / (projection[2][2] + 2.0 * raw - 1.0); } // along the line of sight
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), size = textureSize(depths, 0);
  vec3 colour = texelFetch(colours, at, 0).rgb;
  float here = raw(at), shadow = 0.0;
  if (here < 1.0) {
    float wide = clamp(0.5 * height * projection[1][1] * reach / deep(here), 2.0, 0.1 * height); // the reach in pixels
    // Slope of the surface, whose own plane does not shade it: the smaller of both sides, since one may cross an edge.
    float l = here - raw(at - ivec2(1, 0)), r = raw(at + ivec2(1, 0)) - here;
    float d = here - raw(at - ivec2(0, 1)), u = raw(at + ivec2(0, 1)) - here;
    vec2 lean = vec2(abs(l) < abs(r) ? l : r, abs(d) < abs(u) ? d : u);
    for (int k = 0; k < ${SAMPLES}; k++) {
      float angle = 2.39996 * float(k), far = wide * sqrt((float(k) + 0.5) / float(${SAMPLES}));
      vec2 way = round(far * vec2(cos(angle), sin(angle)));
      ivec2 there = at + ivec2(way);
      if (any(lessThan(there, ivec2(0))) || any(greaterThanEqual(there, size))) continue;
      float plane = min(here + dot(lean, way), 1.0), before = (deep(plane) - deep(raw(there))) / reach;
      shadow += smoothstep(0.03, 0.35, before) / (1.0 + 0.25 * before * before); // distance from the plane
    }
  }
  seen = vec4(colour * (1.0 - 0.75 * shadow / float(${SAMPLES})), 1.0);
}`,
};

// The target of the drawing: optionally with several samples per pixel, which are then averaged.
export class Buffers {
    constructor(gl, samples) {
        this.gl = gl;
        this.samples = samples;
        this.frame = gl.createFramebuffer();
        this.many = samples > 0 ? gl.createFramebuffer() : null;
        this.width = this.height = 0;
    }

    resize(width, height) {
        const {gl} = this;
        if (width === this.width && height === this.height) return;
        Object.assign(this, {width, height});
        for (const old of [this.colours, this.depths]) gl.deleteTexture(old ?? null);
        this.colours = this.texture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE);
        this.depths = this.texture(gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.colours, 0);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.depths, 0);
        if (this.many === null) return;
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.many);
        for (const old of this.stores ?? []) gl.deleteRenderbuffer(old);
        this.stores = [
            [gl.RGBA8, gl.COLOR_ATTACHMENT0],
            [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
        ].map(([format, place]) => {
            const store = gl.createRenderbuffer();
            gl.bindRenderbuffer(gl.RENDERBUFFER, store);
            gl.renderbufferStorageMultisample(gl.RENDERBUFFER, this.samples, format, width, height);
            gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, store);
            return store;
        });
    }

    texture(inner, format, type) {
        const {gl} = this,
            made = gl.createTexture();
        gl.activeTexture(gl.TEXTURE7);
        gl.bindTexture(gl.TEXTURE_2D, made);
        gl.texImage2D(gl.TEXTURE_2D, 0, inner, this.width, this.height, 0, format, type, null);
        for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
            gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
        return made;
    }

    // Drawing goes to these buffers from here,
    begin(width, height) {
        const {gl} = this;
        this.resize(width, height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.many ?? this.frame);
    }

    // ... to here; the textures are in units 6 and 7, and later drawing goes to the screen.
    end() {
        const {gl, width, height} = this;
        if (this.many !== null) {
            gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.many);
            gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, this.frame);
            const both = gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT;
            gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, both, gl.NEAREST);
        }
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        [this.colours, this.depths].forEach((texture, k) => {
            gl.activeTexture(gl.TEXTURE6 + k);
            gl.bindTexture(gl.TEXTURE_2D, texture);
        });
    }
}
