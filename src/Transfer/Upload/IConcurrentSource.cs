namespace Transfer.S3.Upload;

/// <summary>A source whose parts can be read concurrently, each by the task that sends it. Any other source is read by one loop, in order.</summary>
internal interface IConcurrentSource : IUploadSource;
