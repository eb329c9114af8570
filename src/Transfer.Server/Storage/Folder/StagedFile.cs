namespace Transfer.Server.Storage.Folder;

/// <summary>A record's file before it has its name; a rename publishes it as a whole.</summary>
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
