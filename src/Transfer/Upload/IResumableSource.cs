namespace Transfer.S3.Upload;

/// <summary>A source that a later run can recognize, so that it can resume the upload.</summary>
internal interface IResumableSource : IConcurrentSource
{
    /// <summary>Gets a text that identifies the source: the path of a file, or an object in one state. Null if the source can't be recognized.</summary>
    string? Identity { get; }

    /// <summary>Gets the time of the last change.</summary>
    DateTimeOffset LastModified { get; }
}
