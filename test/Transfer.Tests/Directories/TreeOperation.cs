namespace Transfer.S3.Tests.Directories;

/// <summary>The operations that bring what is at a source to a target.</summary>
public enum TreeOperation
{
    Copy,
    Move,
    Sync,
    Job,
}
