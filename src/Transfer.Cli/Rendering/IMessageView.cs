namespace Transfer.S3.Cli.Rendering;

/// <summary>Shows something on standard error that messages must not mix with.</summary>
internal interface IMessageView
{
    /// <summary>Writes something else, without mixing it with what is shown.</summary>
    void Aside(Action write) => write();
}
