namespace FromTransferUtility;

/// <summary>What the sample does with each API.</summary>
internal interface IBackup
{
    /// <summary>Uploads a file, with progress and metadata.</summary>
    Task SaveAsync(string path, string key, CancellationToken cancellationToken);

    /// <summary>Downloads an object to a file.</summary>
    Task RestoreAsync(string key, string path, CancellationToken cancellationToken);

    /// <summary>Reads an object as a stream.</summary>
    Task<long> CountLinesAsync(string key, CancellationToken cancellationToken);

    /// <summary>Uploads the files of a directory.</summary>
    Task SaveDirectoryAsync(string directory, string prefix, CancellationToken cancellationToken);
}
