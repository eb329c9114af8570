namespace Transfer.S3.Jobs;

/// <summary>A piece of a huge object with its result.</summary>
internal sealed record ReviewedPiece(JobItem Item, JobLine Line);
