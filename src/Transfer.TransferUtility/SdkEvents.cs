using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

/// <summary>
/// What the listeners of the AWS SDK's requests receive. Most events are raised by members of the SDK (<see cref="SdkUtilityMembers"/>). Only progress isn't, because they
/// put it into a queue that drops events: its listeners are called through a <see cref="ListenerQueue"/>.
/// </summary>
internal static class SdkEvents
{
    /// <summary>Returns whether a listener receives the number of files before the first one is transferred, or which of them failed.</summary>
    public static bool TellsTotals(TransferUtilityDownloadDirectoryRequest request) => SdkUtilityMembers.Progress(request) is not null || SdkUtilityMembers.Failed(request) is not null;

    /// <summary>Returns whether a listener receives the number of files before the first one is transferred, or which of them failed.</summary>
    public static bool TellsTotals(TransferUtilityUploadDirectoryRequest request)
        => SdkUtilityMembers.Initiated(request) is not null || SdkUtilityMembers.Progress(request) is not null || SdkUtilityMembers.Failed(request) is not null;

    /// <summary>Returns whether a listener receives events for each file.</summary>
    public static bool TellsFiles(TransferUtilityDownloadDirectoryRequest request) => SdkUtilityMembers.Progress(request) is not null || SdkUtilityMembers.FileRequest(request) is not null;

    /// <summary>Returns whether a listener receives events for each file.</summary>
    public static bool TellsFiles(TransferUtilityUploadDirectoryRequest request) => SdkUtilityMembers.Progress(request) is not null || SdkUtilityMembers.FileRequest(request) is not null;

    /// <summary>Calls all listeners of one event. Exceptions that they throw are ignored.</summary>
    public static void Call<T>(EventHandler<T> listeners, object sender, T args)
    {
        foreach (EventHandler<T> listener in Delegate.EnumerateInvocationList(listeners))
        {
            try
            {
                listener(sender, args);
            }
#pragma warning disable CA1031 // an exception of a listener affects neither the transfer nor other listeners; the SDK ignores it too
            catch (Exception)
#pragma warning restore CA1031
            {
            }
        }
    }
}
