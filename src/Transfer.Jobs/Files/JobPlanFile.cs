using System.Text.Json;

namespace Transfer.S3.Jobs;

/// <summary>Reads and writes the file of a plan.</summary>
internal static class JobPlanFile
{
    /// <exception cref="TransferException">Thrown when it can't be read, or isn't a plan of this version.</exception>
    public static async Task<JobPlanDocument?> ReadAsync(JobFolder folder, CancellationToken cancellationToken)
    {
        byte[]? content = await folder.ReadAllAsync(JobNames.Plan, cancellationToken).ConfigureAwait(false);
        if (content is null)
        {
            return null;
        }

        try
        {
            JobPlanDocument document = JsonSerializer.Deserialize(content, JobJson.Default.JobPlanDocument) ?? throw new JsonException("it is empty");
            if (document.Plan.Version != JobPlan.CurrentVersion)
            {
                throw new TransferException($"The plan in {folder.Address} has version {document.Plan.Version}, and this version reads plans of version {JobPlan.CurrentVersion}. Use the version that wrote it.");
            }

            return document.Plan.Shards.Any(static shard => shard.Items < 1 || shard.Lookups < 0 || shard.Lookups > shard.Items) || !JobNames.IsId(document.Plan.Id)
                ? throw new JsonException("a number is impossible")
                : document;
        }
        catch (JsonException e)
        {
            throw new TransferException($"{folder.Address}: '{JobNames.Plan}' is damaged, or isn't the plan of a job: {e.Message}", e);
        }
    }

    /// <summary>Reads a plan that must exist.</summary>
    public static async Task<JobPlanDocument> GetAsync(JobFolder folder, CancellationToken cancellationToken)
        => await ReadAsync(folder, cancellationToken).ConfigureAwait(false)
            ?? throw new TransferException($"{folder.Address} has no '{JobNames.Plan}'. Plan the job first, or check the address.");

    /// <returns>False if another plan was written before.</returns>
    public static Task<bool> TryWriteAsync(JobFolder folder, JobPlanDocument document, CancellationToken cancellationToken)
        => folder.TryCreateAsync(JobNames.Plan, JsonSerializer.SerializeToUtf8Bytes(document, JobJson.Default.JobPlanDocument), cancellationToken);
}
