namespace Transfer.S3.Cli.Rendering;

/// <summary>An object of a job that has failed.</summary>
internal sealed record JobFailureJson(string Target, bool IsConflict, string Message)
{
    public static IReadOnlyList<JobFailureJson> From(IEnumerable<JobFailure> failures) => [.. failures.Select(static failure => new JobFailureJson(failure.Name, failure.IsConflict, failure.Message))];
}
