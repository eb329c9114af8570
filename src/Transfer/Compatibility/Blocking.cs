namespace Transfer.Compatibility;

/// <summary>Implements the synchronous methods of the interface. As in the SDK, they block the calling thread and throw the exception of the call.</summary>
internal static class Blocking
{
#pragma warning disable VSTHRD002 // the interface is synchronous; no code of the library needs the caller's context
    public static void Wait(Task call) => call.GetAwaiter().GetResult();

    public static T Wait<T>(Task<T> call) => call.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
}
