namespace Transfer.Server.Storage;

/// <summary>A record that is written but not yet in its place. Disposing it unpublished removes it.</summary>
internal interface IStagedRecord : IDisposable
{
    /// <summary>Puts the record in its place in one step. Short enough to run under a lock.</summary>
    void Publish();
}
