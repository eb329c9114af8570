namespace Transfer.S3.Jobs;

/// <summary>Deletes files of plans that don't count. No other files of the folder of a job are deleted by what they are named.</summary>
internal static class PlanFiles
{
    /// <summary>Deletes files whose whole names have the form that only planners give them.</summary>
    /// <param name="folder">The folder of the job.</param>
    /// <param name="prefix">The beginning of their names, which ends with a slash.</param>
    /// <param name="selects">Returns whether the files of the plan with an ID are deleted.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task DeleteAsync(JobFolder folder, string prefix, Func<string, bool> selects, CancellationToken cancellationToken)
    {
        await foreach (string name in folder.ListAsync(prefix, cancellationToken).ConfigureAwait(false))
        {
            if (JobNames.TryReadShard(name) is { } id && selects(id))
            {
                await folder.DeleteAsync(name, cancellationToken).ConfigureAwait(false);
            }
        }
    }
}
