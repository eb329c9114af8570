namespace Transfer.S3.Jobs;

/// <summary>Finds what a job can't guarantee with its stores, because they don't have conditional requests.</summary>
internal static class LostGuarantees
{
    /// <param name="folder">The folder of the job, to which a probe is written.</param>
    /// <param name="sides">The sides of the job, to which nothing is written.</param>
    /// <param name="changes">Whether targets are replaced or deleted.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task<IReadOnlyList<string>> FindAsync(JobFolder folder, JobSides sides, bool changes, CancellationToken cancellationToken)
    {
        List<string> lost = [];
        bool? conditions = await folder.HasConditionsAsync(cancellationToken).ConfigureAwait(false);
        if (conditions == false)
        {
            lost.Add($"The store of {folder.Address} doesn't support If-None-Match. If two plans are written to it at the same time, the last one counts.");
        }

        if (sides.Target.IsLocal)
        {
            if (changes)
            {
                lost.Add($"If another program changes a file in {sides.Target} at the moment when it is replaced or deleted, that change is lost. An item that runs twice at the same time can replace a file twice, with the same content.");
            }
        }
        else if (folder.Client?.Context.Store != sides.Writer.Context.Store || conditions is null)
        {
            lost.Add($"It isn't known whether the store of {sides.Target} supports If-None-Match and If-Match. If it doesn't, an object that another program writes at the same time can be overwritten.");
        }
        else if (conditions == false)
        {
            lost.Add($"The store of {sides.Target} doesn't support If-None-Match. An object that another program writes at the same time can be overwritten, and an item that runs twice can be written twice.");
        }

        return lost;
    }
}
