namespace Transfer.S3.Server.Storage;

/// <summary>A record that is written but not yet published. Disposing it before <see cref="Publish"/> deletes it.</summary>
internal interface IStagedRecord : IDisposable
{
    /// <summary>Publishes the record atomically. The call is short enough to run under a lock.</summary>
    void Publish();
}
