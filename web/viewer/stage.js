// Draws a model on a canvas, whenever something changed and not otherwise.
import { Box3, DirectionalLight, HemisphereLight, NeutralToneMapping, PerspectiveCamera, Scene, Sphere, Spherical, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export function drawsIn3D() {
  try {
    const gl = document.createElement("canvas").getContext("webgl2");
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return Boolean(gl);
  } catch {
    return false;
  }
}

const step = Math.PI / 12; // of a key or a button
const sharpest = 2; // device pixels for a pixel

export class Stage {
  constructor(canvas, model, lost) {
    const box = new Box3().setFromObject(model.scene);
    const ball = box.getBoundingSphere(new Sphere());
    if (box.isEmpty() || !Number.isFinite(ball.radius) || !ball.center.toArray().every(Number.isFinite)) throw new Error("nothing to see");
    const radius = Math.max(ball.radius, 1e-6);
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, alpha: true, antialias: true, powerPreference: "low-power" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.scene = new Scene();
    this.scene.add(model.scene, new HemisphereLight(0xffffff, 0x8d8a84, 2.2));
    this.camera = new PerspectiveCamera(40, 1, radius / 100, radius * 100);
    const sun = new DirectionalLight(0xffffff, 1.8); // from above the shoulder of who looks
    sun.position.set(radius, 2 * radius, radius);
    this.camera.add(sun, sun.target);
    sun.target.position.set(0, 0, -4 * radius);
    this.scene.add(this.camera);

    this.fits = (0.8 * radius) / Math.sin((20 * Math.PI) / 180); // a ball around it is larger than what is seen of it
    this.start = new Vector3(0.7, 0.45, 1);
    if (model.camera) { // as the picture shows it
      const seen = model.camera.getWorldPosition(new Vector3()).sub(ball.center);
      if (seen.length() > 1e-9 && Number.isFinite(seen.length())) this.start = seen;
    }
    this.controls = new OrbitControls(this.camera, canvas);
    Object.assign(this.controls, { enablePan: false, minDistance: radius * 0.4, maxDistance: this.fits * 4 });
    this.controls.target.copy(ball.center);
    canvas.style.touchAction = "pan-y"; // a finger that goes up or down moves the page
    this.draw = () => {
      if (!this.waits) this.waits = requestAnimationFrame(() => { this.waits = 0; this.renderer.render(this.scene, this.camera); });
    };
    this.controls.addEventListener("change", this.draw);
    this.wheel = (e) => { if (document.activeElement !== canvas && !e.ctrlKey) e.stopPropagation(); }; // else it is the page that is scrolled
    canvas.parentElement.addEventListener("wheel", this.wheel, { capture: true });
    this.press = () => canvas.focus({ preventScroll: true });
    canvas.addEventListener("pointerdown", this.press);
    this.lost = (e) => { e.preventDefault(); if (!this.over) lost(); };
    canvas.addEventListener("webglcontextlost", this.lost);
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(canvas);
    this.fit();
    this.home();
    this.renderer.render(this.scene, this.camera);
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(sharpest, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  home() {
    const narrow = Math.max(1, 1 / this.camera.aspect);
    this.camera.position.copy(this.start).setLength(this.fits * narrow).add(this.controls.target);
    this.controls.update();
    this.draw();
  }

  move(change) {
    const from = new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
    change(from);
    from.makeSafe();
    this.camera.position.setFromSpherical(from).add(this.controls.target);
    this.controls.update();
    this.draw();
  }

  turn(across, down) {
    this.move((s) => {
      s.theta += across * step;
      s.phi += down * step;
    });
  }

  zoom(closer) {
    this.move((s) => { s.radius *= closer > 0 ? 1 / 1.2 : 1.2; });
  }

  dispose() {
    this.over = true;
    this.watch?.disconnect();
    cancelAnimationFrame(this.waits);
    this.canvas.parentElement?.removeEventListener("wheel", this.wheel, { capture: true });
    this.controls.dispose();
    this.scene.traverse((one) => {
      one.geometry?.dispose();
      for (const material of [one.material].flat()) {
        for (const value of Object.values(material ?? {})) if (value?.isTexture) { value.image?.close?.(); value.dispose(); }
        material?.dispose?.();
      }
    });
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
