using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3.Tests.Concurrency;

/// <summary>A client that always has another request to send, on a <see cref="SimulatedLink"/>.</summary>
internal sealed class SimulatedClient(double requestBytes, double start, bool hasLatency)
{
    private readonly LoadSample _sample = new();
    private int _epoch;

    /// <summary>Gets or sets the bytes of a request.</summary>
    public double RequestBytes { get; set; } = requestBytes;

    public double Start => start;

    public ConcurrencyController Controller { get; } = new(TransferDefaults.LeastConcurrency, TransferDefaults.StartConcurrency, TransferDefaults.MostConcurrency);

    public List<SimulatedLink.Slot> Slots { get; } = [];

    /// <summary>Gets or sets the bytes that have arrived.</summary>
    public double Bytes { get; set; }

    public int Requests { get; set; }

    public int Rejected { get; set; }

    public void Begin(double now, double wait, bool isRejected)
    {
        _sample.Started++;
        Slots.Add(new()
        {
            Started = now,
            Epoch = _epoch,
            Wait = wait,
            Bytes = RequestBytes,
            BytesLeft = RequestBytes,
            IsRejected = isRejected,
            InFlight = Slots.Count + 1,
        });
    }

    public void Step(double now, double seconds, double bytes)
    {
        _sample.Seconds += seconds;
        _sample.FullSeconds += seconds;
        _sample.SlotSeconds += seconds * Slots.Count;
        for (int i = Slots.Count - 1; i >= 0; i--)
        {
            SimulatedLink.Slot slot = Slots[i];
            if (slot.Wait > 0)
            {
                slot.Wait -= seconds;
                slot.FirstByteAt = hasLatency ? now : null;
                if (slot.Wait <= 0 && slot.IsRejected)
                {
                    End(slot, now, isRejected: true);
                }

                continue;
            }

            double moved = Math.Min(slot.BytesLeft, bytes);
            slot.BytesLeft -= moved;
            Bytes += moved;
            if (slot.BytesLeft < 1)
            {
                End(slot, now, isRejected: false);
            }
        }

        // LoadMeter closes samples in the same way.
        bool isRejecting = _sample.Rejected >= RejectedShare.Least && _sample.Seconds >= 0.1;
        if (isRejecting || (_sample.Completed >= Math.Max(4, Slots.Count / 2) && _sample.Seconds >= (Controller.IsStarting ? 0.05 : 0.1)))
        {
            _epoch += Controller.Update(_sample) is null ? 0 : 1;
            _sample.Clear();
        }
    }

    private void End(SimulatedLink.Slot slot, double now, bool isRejected)
    {
        Slots.Remove(slot);
        Requests++;
        Rejected += isRejected ? 1 : 0;
        if (slot.Epoch == _epoch && isRejected)
        {
            _sample.AddRejected(slot.InFlight);
        }
        else if (slot.Epoch == _epoch)
        {
            _sample.AddCompleted((long)slot.Bytes, now - slot.Started, slot.FirstByteAt - slot.Started);
        }
    }
}
