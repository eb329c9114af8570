using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>An object of a job whose parts are all in the store.</summary>
/// <param name="Number">The number of the object among those that are divided.</param>
/// <param name="Item">The object.</param>
/// <param name="Upload">What completes it.</param>
/// <param name="Line">Its line if it is done.</param>
internal sealed record PreparedObject(int Number, JobItem Item, StagedUpload Upload, JobLine Line)
{
    /// <summary>Gets the properties of the source that the object doesn't have, whatever the store does.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Gets a value that indicates whether the parts are known to be the content of the source.</summary>
    public bool IsSourceVerified { get; init; }
}
