namespace Transfer.S3;

/// <summary>An item of a job that has failed.</summary>
/// <param name="Name">The whole address of the target.</param>
/// <param name="IsConflict">Whether the source or the target has changed since the job was planned.</param>
/// <param name="Message">The error.</param>
public sealed record JobFailure(string Name, bool IsConflict, string Message);
