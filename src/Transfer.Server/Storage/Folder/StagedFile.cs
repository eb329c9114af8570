namespace Transfer.S3.Server.Storage.Folder;

/// <summary>The file of an unpublished record. A rename publishes it atomically.</summary>
internal sealed class StagedFile(string path, string target) : IStagedRecord
{
    private bool _isPublished;

    public string Path => path;

    public void Publish()
    {
        File.Move(path, target, overwrite: true);
        _isPublished = true;
    }

    public void Dispose()
    {
        if (!_isPublished)
        {
            File.Delete(path);
        }
    }
}
