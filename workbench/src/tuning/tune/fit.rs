//! The fitting loop: mini-batch gradient descent with Adam.

use indicatif::ProgressBar;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::adam::Adam;
use super::model::{Model, Target};
use super::samples::Samples;
use crate::tuning::numbers::rate_at;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// How many times to go through all positions.
    pub epochs: usize,
    /// Positions per step.
    pub batch: usize,
    /// The learning rate at the start, in centipawns.
    pub rate: f32,
    /// How strongly the values are drawn back to their first ones.
    pub inertia: f32,
    pub threads: usize,
}

/// Fits the model to the training positions. Calls `show` with the model after each epoch.
pub fn fit(
    settings: &FitSettings,
    mut model: Model,
    training: &Samples,
    target: Target,
    mut show: impl FnMut(usize, &Model),
) {
    let start = model.clone();
    let mut adam = Adam::new(model.values.len());
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let steps = (settings.epochs * order.len().div_ceil(settings.batch)) as f64;
    let bar = ProgressBar::new(steps as u64);
    for epoch in 1..=settings.epochs {
        order.shuffle(&mut rng);
        for batch in order.chunks(settings.batch) {
            let mut gradient = model.gradient(training, batch, target, settings.threads);
            for ((slope, value), start) in gradient.iter_mut().zip(&model.values).zip(&start.values)
            {
                slope[0] += settings.inertia * (value[0] - start[0]);
                slope[1] += settings.inertia * (value[1] - start[1]);
            }
            let rate = settings.rate * rate_at(bar.position() as f64 / steps) as f32;
            adam.step(&mut model.values, &gradient, rate);
            bar.inc(1);
        }
        bar.suspend(|| show(epoch, &model));
    }
    bar.finish_and_clear();
}
