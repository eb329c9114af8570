namespace Transfer.Cli.Rendering;

/// <summary>Shows the progress of a transfer. Disposing it removes what it shows.</summary>
internal interface IProgressView : IProgress<TransferProgress>, IDisposable
{
    /// <summary>Writes something else, without mixing it with what is shown.</summary>
    void Aside(Action write) => write();
}
