namespace Transfer.S3.Cli.Options;

/// <summary>The variable in which an engine tells a task of an array its index.</summary>
/// <param name="Name">The name of the variable.</param>
/// <param name="First">The index that stands for the first shard.</param>
/// <param name="Absent">The values that the engine sets for a task that isn't part of an array.</param>
/// <param name="Step">The variable with the number of indices that one task stands for; null if the engine has none.</param>
/// <param name="Last">The variable with the last index of the array; null if the engine has none.</param>
/// <param name="Again">The command that runs tasks of some indices, where {0} is a list such as 1,3,5-7; null if the engine only runs all from the first on.</param>
/// <param name="TakesOneRange">Whether that command takes only one range at a time, such as 5-7 or 1-1.</param>
internal sealed record EngineVariable(string Name, int First = 0, string? Absent = null, string? Step = null, string? Last = null, string? Again = null, bool TakesOneRange = false)
{
    /// <summary>The engines, as each of them documents its variables.</summary>
    public static IReadOnlyList<EngineVariable> All { get; } =
    [
        // Indices are those of --array=0-N, from 0 on. With a step, IDs are left out and not grouped. https://slurm.schedmd.com/job_array.html
        new("SLURM_ARRAY_TASK_ID", Again: "sbatch --array={0}"),

        // From 0 to completions - 1. https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode
        new("JOB_COMPLETION_INDEX"),

        // From 0 to the size of the array - 1. https://docs.aws.amazon.com/batch/latest/userguide/array_jobs.html
        new("AWS_BATCH_JOB_ARRAY_INDEX"),

        // From 1, because -t refuses 0. With -t N-M:S, one task stands for S indices. "undefined" for a job that is no array.
        // https://manpages.debian.org/bookworm/gridengine-client/qsub.1.en.html
        new("SGE_TASK_ID", First: 1, Absent: "undefined", Step: "SGE_TASK_STEPSIZE", Last: "SGE_TASK_LAST", Again: "qsub -t {0}", TakesOneRange: true),

        // Indices are those of -J 0-N, from 0 on. https://help.altair.com/2024.1.0/PBS%20Professional/PBSUserGuide2024.1.pdf
        new("PBS_ARRAY_INDEX"),

        // From 1, and -J takes a list in brackets. 0 for a job that is no array. https://www.ibm.com/docs/en/spectrum-lsf/10.1.0?topic=variables-environment-set-job-execution
        new("LSB_JOBINDEX", First: 1, Absent: "0", Again: "bsub -J 'run[{0}]'"),

        // From 0 to tasks - 1. https://cloud.google.com/run/docs/container-contract#jobs-env-vars
        new("CLOUD_RUN_TASK_INDEX"),

        // From 0 to the number of tasks - 1. https://cloud.google.com/batch/docs/create-run-job-custom-environment-variables
        new("BATCH_TASK_INDEX"),

        // From 1 to CI_NODE_TOTAL, with parallel. https://docs.gitlab.com/ci/variables/predefined_variables/
        new("CI_NODE_INDEX", First: 1),
    ];
}
