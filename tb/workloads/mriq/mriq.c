/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/mriq/mriq.c: magnetic resonance imaging's matrix Q of random samples: their squared
 * magnitudes on the device, then one launch for each piece of samples. The magnitudes must be the
 * host's bit by bit. Q is compared with sums of doubles: a phase below 76 that floats compute is
 * wrong by 2e-5 at most, so are its sine and cosine, and magnitudes whose sum is about 2/3 weigh
 * that; errors of changing sign and those of the sums stay below. So TOLERANCE holds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/opencl.h"
#include "tb/workloads/common/options.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/verify.h"

extern const char mriq_cl[];

#define MOST_TERMS (INT64_C(1) << 28) /* what the host computes in some ten seconds */
#define MOST_PIECE 4096               /* 64 KiB of constant memory */
#define RADIUS     8                  /* of k-space, along each axis; the volume's is 1/2 */
#define TOLERANCE  3e-5

enum { VOXELS, SAMPLES, PIECE, BLOCK, NUM_OPTIONS };

static const struct option_entry table[NUM_OPTIONS] = {
    [VOXELS] =
        NUMBER_OPTION("voxels", 1, 1 << 22, 1000, 32768, 40000, "voxels, one work-item each"),
    [SAMPLES] = NUMBER_OPTION("samples", 1, 1 << 16, 90, 512, 2500, "samples in k-space"),
    [PIECE] = NUMBER_OPTION("piece", 1, MOST_PIECE, 50, 256, 1024, "samples of one launch"),
    [BLOCK] = NUMBER_OPTION("block", 1, 1024, 160, 160, 160, "work-items of a work-group"),
};

/* The buffers, in the order of the kernels' arguments: the first three are `magnitudes`', the
 * others `add_samples`'. */
enum { PHI_REAL, PHI_IMAGINARY, MAGNITUDE, PIECES, X, Y, Z, Q_REAL, Q_IMAGINARY, NUM_BUFFERS };

struct problem {
    cl_uint voxels, samples, piece;
    cl_float4 *k;             /* of each sample; .w is free for its magnitude */
    float *data[NUM_BUFFERS]; /* phi and x: given; magnitude and Q: expected; pieces: none */
};

static size_t elements_of(const struct problem *p, int buffer)
{
    return buffer < PIECES ? p->samples : buffer > PIECES ? p->voxels : 4 * (size_t)p->piece;
}

/* Everything random, in [-limit, limit). The limit of phi makes the magnitudes' sum 2/3 on average.
 */
static void draw(struct problem *p, struct random *random)
{
    for (int i = 0; i < NUM_BUFFERS; i++) {
        const float limit = i < PIECES ? 1 / sqrtf((float)p->samples) : 0.5f;
        const size_t count = i == PIECES ? 0 : elements_of(p, i);
        p->data[i] = allocate(count, sizeof(float));
        random_floats(random, p->data[i], count);
        for (size_t j = 0; j < count; j++)
            p->data[i][j] *= limit;
    }
    p->k = allocate(p->samples, sizeof *p->k);
    for (size_t k = 0; k < p->samples; k++)
        for (int axis = 0; axis < 3; axis++)
            p->k[k].s[axis] = RADIUS * random_float(random);
}

static void compute_expected(struct problem *p)
{
    float *const *data = p->data, *magnitude = data[MAGNITUDE];
    for (size_t k = 0; k < p->samples; k++)
        magnitude[k] =
            data[PHI_REAL][k] * data[PHI_REAL][k] + data[PHI_IMAGINARY][k] * data[PHI_IMAGINARY][k];
    for (size_t i = 0; i < p->voxels; i++) {
        double real = 0, imaginary = 0;
        for (size_t k = 0; k < p->samples; k++) {
            double product = 0;
            for (int axis = 0; axis < 3; axis++)
                product += (double)p->k[k].s[axis] * (double)data[X + axis][i];
            real += (double)magnitude[k] * cos(2 * M_PI * product);
            imaginary += (double)magnitude[k] * sin(2 * M_PI * product);
        }
        data[Q_REAL][i] = (float)real;
        data[Q_IMAGINARY][i] = (float)imaginary;
    }
}

static struct problem make_problem(const struct options *options)
{
    struct random random = {(uint64_t)options->seed.number};
    const int64_t voxels = options->own[VOXELS].number, samples = options->own[SAMPLES].number;
    struct problem p = {.voxels = (cl_uint)voxels,
                        .samples = (cl_uint)samples,
                        .piece = (cl_uint)options->own[PIECE].number};
    if (voxels * samples > MOST_TERMS)
        fail_with(EXIT_USAGE, "--voxels=%lld --samples=%lld: expected at most %lld terms in all",
                  (long long)voxels, (long long)samples, (long long)MOST_TERMS);
    draw(&p, &random);
    compute_expected(&p);
    return p;
}

static void free_problem(struct problem *p)
{
    for (int i = 0; i < NUM_BUFFERS; i++)
        free(p->data[i]);
    free(p->k);
}

struct device {
    struct opencl cl;
    cl_kernel magnitudes, add_samples;
    cl_mem buffers[NUM_BUFFERS];
    size_t block;
};

static void open_device(struct device *d, const struct problem *p, const struct options *options)
{
    struct opencl *cl = &d->cl;
    opencl_open(cl, options->device_type.text, mriq_cl);
    d->block = (size_t)options->own[BLOCK].number;
    d->magnitudes = opencl_kernel(cl, "magnitudes");
    d->add_samples = opencl_kernel(cl, "add_samples");
    for (int i = 0; i < NUM_BUFFERS; i++) {
        const int given = i == PHI_REAL || i == PHI_IMAGINARY || (i >= X && i <= Z);
        d->buffers[i] = opencl_buffer(cl, given ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE,
                                      elements_of(p, i) * sizeof(float), given ? p->data[i] : NULL);
    }
    opencl_arguments(d->magnitudes, d->buffers, PIECES);
    OPENCL_ARGUMENT(d->magnitudes, PIECES, p->samples);
    opencl_arguments(d->add_samples, d->buffers + PIECES, NUM_BUFFERS - PIECES);
    OPENCL_ARGUMENT(d->add_samples, NUM_BUFFERS - PIECES, p->voxels);
}

static void close_device(struct device *d)
{
    opencl_release(d->buffers, NUM_BUFFERS);
    CL(clReleaseKernel(d->magnitudes));
    CL(clReleaseKernel(d->add_samples));
    opencl_close(&d->cl);
}

/* Magnitudes from the device into p->k. Returns how many are wrong. */
static size_t compute_magnitudes(struct device *d, struct problem *p, float *got)
{
    const size_t samples = p->samples, bytes = samples * sizeof *got;
    opencl_poison(&d->cl, d->buffers[MAGNITUDE], bytes);
    opencl_launch(&d->cl, d->magnitudes, 1, &samples, &d->block);
    opencl_read(&d->cl, d->buffers[MAGNITUDE], bytes, got);
    for (size_t k = 0; k < samples; k++)
        p->k[k].s[3] = got[k];
    return verify_floats("magnitude", 0, p->data[MAGNITUDE], got, samples, 0, stdout);
}

static void compute_q(struct device *d, const struct problem *p, float *zeros)
{
    const size_t voxels = p->voxels;
    opencl_write(&d->cl, d->buffers[Q_REAL], voxels * sizeof *zeros, zeros);
    opencl_write(&d->cl, d->buffers[Q_IMAGINARY], voxels * sizeof *zeros, zeros);
    for (cl_uint first = 0; first < p->samples; first += p->piece) {
        const cl_uint rest = p->samples - first, count = rest < p->piece ? rest : p->piece;
        opencl_write(&d->cl, d->buffers[PIECES], count * sizeof *p->k, p->k + first);
        OPENCL_ARGUMENT(d->add_samples, NUM_BUFFERS - PIECES + 1, count);
        opencl_launch(&d->cl, d->add_samples, 1, &voxels, &d->block);
    }
}

static size_t run(struct problem *p, const struct options *options)
{
    struct device d;
    size_t wrong = 0;
    float *got = allocate(p->samples > p->voxels ? p->samples : p->voxels, sizeof *got);
    float *zeros = allocate(p->voxels, sizeof *zeros);
    open_device(&d, p, options);
    for (int64_t i = 1; i <= options->repeat.number && wrong == 0; i++) {
        wrong = compute_magnitudes(&d, p, got);
        compute_q(&d, p, zeros);
        opencl_report(&d.cl, i, options->repeat.number);
        for (int part = Q_REAL; part <= Q_IMAGINARY; part++) {
            opencl_read(&d.cl, d.buffers[part], p->voxels * sizeof *got, got);
            wrong += verify_floats(part == Q_REAL ? "real q" : "imaginary q", 0, p->data[part], got,
                                   p->voxels, TOLERANCE, stdout);
        }
    }
    close_device(&d);
    free(got);
    free(zeros);
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    parse_command_line(&options, argc, argv,
                       "Computes magnetic resonance imaging's matrix Q on an OpenCL device.", table,
                       NUM_OPTIONS);
    struct problem p = make_problem(&options);
    printf("mriq: %u voxels, %u samples in pieces of %u, block %lld, seed %lld\n", p.voxels,
           p.samples, p.piece, (long long)options.own[BLOCK].number,
           (long long)options.seed.number);
    size_t wrong = run(&p, &options);
    if (wrong == 0)
        printf("verified: %u voxels equal the host's within %g\n", p.voxels, TOLERANCE);
    free_problem(&p);
    return wrong > 0 ? EXIT_WRONG : EXIT_VERIFIED;
}
