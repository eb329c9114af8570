namespace Transfer.S3.Server.Storage.Folder;

/// <summary>A stored record.</summary>
internal interface IRecord
{
    /// <summary>Gets the schema version.</summary>
    int Schema { get; }

    /// <summary>Returns a value that indicates whether the record is complete and valid. Records come from files, which anyone may have changed.</summary>
    bool IsSound();
}
